"""The keys of a pack: pack.yaml, and the file of a language."""

from __future__ import annotations

from docsite.reference.structs import sections
from sayso.engine.grammar import pack

SHAPES = (
    ("pack.yaml", pack.Pack),
    ("A kind of items", pack.EntityKind),
    ("How items are listed", pack.Listing),
    ("Parts of an item", pack.PartKind),
    ("A tool", pack.Tool),
    ("A parameter", pack.Param),
    ("An implied value", pack.Worded),
    ("Pages of a list", pack.Paging),
    ("A suggestion", pack.Following),
    ("A slot", pack.Slot),
    ("An act", pack.Act),
    ("A language's file", pack.Phrasebook),
    ("Names of groups", pack.Naming),
    ("Questions and replies", pack.Say),
)


def markdown() -> str:
    return sections(*SHAPES)
