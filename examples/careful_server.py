"""A server of one's own, made careful by one line."""

from mcp.server import MCPServer
from mcp_types import ToolAnnotations

from sayso.gateway.library.middleware import CarefulTools

server = MCPServer("notes", middleware=[CarefulTools()])
notes = ["Buy milk", "Call the bank"]


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def list_notes() -> list[str]:
    """List the notes."""
    return notes


@server.tool(annotations=ToolAnnotations(destructive_hint=False))
def add_note(text: str) -> str:
    """Add a note."""
    notes.append(text)
    return f"added {text}"


@server.tool()
def delete_note(text: str) -> str:
    """Delete a note."""
    notes.remove(text)
    return f"deleted {text}"


if __name__ == "__main__":
    server.run()
