"""The keys of the gateway's file."""

from __future__ import annotations

from docsite.reference.markdown import page
from docsite.reference.structs import sections
from sayso.gateway import config

ABOUT = """What may stand in `sayso.json`, which `sayso gateway` reads; `${NAME}` in it stands for a variable of the
environment. How to use it: [the gateway](../gateway.md)."""
SHAPES = (
    ("The file", config.Config),
    ("For all servers", config.GatewaySettings),
    ("A server", config.Upstream),
    ("What holds for a server", config.ServerSettings),
    ("What holds for a tool", config.ToolSettings),
    ("Where things are listed", config.EntitySettings),
)


def markdown() -> str:
    return page("The gateway's file", ABOUT, sections(*SHAPES))
