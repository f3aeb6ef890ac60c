"""The keys of a pack: pack.yaml, and the file of a language."""

from __future__ import annotations

from docsite.reference.markdown import page
from docsite.reference.structs import sections
from sayso.engine.grammar import pack

ABOUT = """A pack is a folder: `pack.yaml`, and a file for each language, such as `en.yaml`. `sayso pack check` names
each key that is not as it should be. How to write one: [packs](../packs.md)."""
SHAPES = (
    ("pack.yaml", pack.Pack),
    ("A kind of things", pack.EntityKind),
    ("How things are listed", pack.Listing),
    ("Parts of a thing", pack.PartKind),
    ("A tool", pack.Tool),
    ("A parameter", pack.Param),
    ("A value that a word gives", pack.Worded),
    ("Pages of a list", pack.Paging),
    ("What may follow", pack.Following),
    ("A slot", pack.Slot),
    ("An act", pack.Act),
    ("A language's file", pack.Phrasebook),
    ("How groups are named", pack.Naming),
    ("What is said back", pack.Say),
)


def markdown() -> str:
    return page("Packs", ABOUT, sections(*SHAPES))
