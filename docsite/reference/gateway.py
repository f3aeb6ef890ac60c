"""The keys of the gateway's file."""

from __future__ import annotations

from docsite.reference.structs import sections
from sayso.gateway import config

SHAPES = (
    ("The file", config.Config),
    ("Settings for all servers", config.GatewaySettings),
    ("A server", config.Upstream),
    ("Settings of a server", config.ServerSettings),
    ("Settings of a tool", config.ToolSettings),
    ("Lists of items", config.EntitySettings),
)


def markdown() -> str:
    return sections(*SHAPES)
