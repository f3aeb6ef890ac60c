"""Tools of the OpenAI Agents SDK behind a guard: what the person did not say is asked about."""

from agents import Agent, function_tool

from sayso.gateway.config import ServerSettings, ToolSettings
from sayso.gateway.library.openai_agents import guard

notes = ["Buy milk", "Call the bank"]


@function_tool
def list_notes() -> list[str]:
    """List the notes."""
    return notes


@function_tool
def delete_note(text: str) -> str:
    """Delete a note."""
    notes.remove(text)
    return f"deleted {text}"


async def ask(asked):
    """Put the question to the person: here, in the terminal."""
    return input(f"{asked.question} [y/N] ") == "y"


def make_agent(words, ask=ask):
    settings = ServerSettings(tools={"list_notes": ToolSettings(risk="read")})
    return Agent(name="notes", tools=guard([list_notes, delete_note], words=words, ask=ask, settings=settings))
