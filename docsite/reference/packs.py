"""The keys of a pack: pack.yaml, and the file of a language."""

from __future__ import annotations

from docsite.reference.structs import sections
from sayso.engine.grammar import pack

SHAPES = (
    ("pack.yaml", pack.Pack),
    ("Entity", pack.EntityKind),
    ("Listing", pack.Listing),
    ("Part", pack.PartKind),
    ("Tool", pack.Tool),
    ("Parameter", pack.Param),
    ("Implied", pack.Worded),
    ("Ringing", pack.Rings),
    ("Paging", pack.Paging),
    ("Suggestion", pack.Following),
    ("Slot", pack.Slot),
    ("Act", pack.Act),
    ("en.yaml", pack.Phrasebook),
    ("Names", pack.Naming),
    ("Replies", pack.Say),
)


def markdown() -> str:
    return sections(*SHAPES)
