"""The keys of the gateway's file."""

from __future__ import annotations

from docsite.reference.structs import sections
from sayso.gateway import config
from sayso.gateway.rules.rule import Rule

SHAPES = (
    ("The file", config.Config),
    ("Settings", config.GatewaySettings),
    ("Redaction", config.RedactionSettings),
    ("Rules of hooks", config.HookSettings),
    ("Server", config.Upstream),
    ("Server settings", config.ServerSettings),
    ("OAuth", config.OAuthSettings),
    ("Tool settings", config.ToolSettings),
    ("Grants", config.GrantSettings),
    ("Changes", config.DiffSettings),
    ("Items", config.EntitySettings),
    ("Rule", Rule),
)


def markdown() -> str:
    return sections(*SHAPES)
