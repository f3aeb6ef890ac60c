"""A toolset of Pydantic AI behind a guard: what the person did not say is asked about."""

from pydantic_ai import Agent, FunctionToolset

from sayso.gateway.config import ServerSettings, ToolSettings
from sayso.gateway.library.pydantic_ai import GuardedToolset

notes = ["Buy milk", "Call the bank"]


def list_notes() -> list[str]:
    """List the notes."""
    return notes


def delete_note(text: str) -> str:
    """Delete a note."""
    notes.remove(text)
    return f"deleted {text}"


async def ask(asked):
    """Put the question to the person: here, in the terminal."""
    return input(f"{asked.question} [y/N] ") == "y"


def make_agent(model, ask=ask):
    settings = ServerSettings(tools={"list_notes": ToolSettings(risk="read")})
    tools = FunctionToolset([list_notes, delete_note])
    return Agent(model, toolsets=[GuardedToolset(tools, ask=ask, settings=settings)])
