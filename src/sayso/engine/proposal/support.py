"""Finds evidence for each proposed value in the words, the history or the user's things.

"the kitchen lamp" is proposed as a device, and the user said "lamp in the kitchen": there is evidence. A priority
that the user did not mention has no evidence, and is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sayso.decision import Evidence as Proof
from sayso.decision import Span
from sayso.engine.decide.room import Room
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.pack import Param, Slot, Tool
from sayso.engine.grammar.sheet import Stretch
from sayso.engine.linking.inventory import Inventory, Part
from sayso.engine.linking.units import Unit, said
from sayso.engine.proposal.evidence import Evidence
from sayso.engine.proposal.sanitise import Offer
from sayso.engine.slots.arguments import in_form
from sayso.engine.text.tokens import normalise

_FREE = Proof(source="proposed")  # for a value that need not be said
_POINTING = ("it", "them", "dummy")


class Supported(NamedTuple):
    """A value with its evidence."""

    value: Any
    evidence: Proof


def supported(room: Room, offer: Offer) -> dict[str, Supported]:
    """The arguments of an offer that have evidence, by parameter."""
    tool = room.grammar.pack.tools[offer.tool]
    found: dict[str, Supported] = {}
    thing: str | None = None
    for name in sorted(
        offer.arguments, key=lambda name: _kind(room, tool, name) != "entity"
    ):  # a thing, then its parts
        value, key = offer.arguments[name], tool.params[name].slot
        slot = room.grammar.pack.slots[key] if key else None
        one = _of_slot(room, tool, slot, value, thing, name)
        if one is not None:
            found[name] = one
            thing = one.value if slot is not None and slot.type == "entity" else thing
    return found


def weighed(room: Room, offer: Offer, texts: Sequence[str]) -> tuple[Offer, dict[str, Supported]]:
    """An offer with the arguments that have evidence. For a tool without acts, also those that need none."""
    catalogue = room.grammar.catalogue
    if catalogue is None:
        return offer, supported(room, offer)
    evidence = Evidence(room.grammar, catalogue, texts, room.now, exact=room.thresholds.exact)
    tool = room.grammar.pack.tools[offer.tool]
    needed = () if room.thresholds.exact else {name for name, param in tool.params.items() if param.required}
    profile = catalogue.tools[offer.tool]
    reads = tool.risk_of(offer.arguments) == "read"
    finding = evidence.of(offer.arguments, profile, tool.params, needed, reads=reads)
    proofs = {name: _proposed(_whole(room)) if name in finding.said else _FREE for name in offer.arguments}
    left = {name: value for name, value in offer.arguments.items() if name not in finding.unsaid}
    held = {name: Supported(value, proofs[name]) for name, value in left.items()}
    return offer._replace(contrary=finding.contrary), held


def _kind(room: Room, tool: Tool, name: str) -> str:
    slot = tool.params[name].slot
    return room.grammar.pack.slots[slot].type if slot else ""


def _of_slot(room: Room, tool: Tool, slot: Slot | None, value: Any, thing: str | None, name: str) -> Supported | None:
    kind = slot.type if slot is not None else ""
    if kind == "entity":
        return _entity(room, value) if isinstance(value, str) else None
    if slot is not None and kind == "part":
        return _part(room, slot, value, thing, reads=tool.risk == "read")
    if kind in ("date", "value", "number", "repeat", "lead", "shared"):
        return _value(room, tool.params[name], value, thing, name)
    return _text(room, value) if isinstance(value, str) else None


def _value(room: Room, param: Param, value: Any, thing: str | None, name: str) -> Supported | None:
    """A value that one of our own readers also finds in the words."""
    entity = room.scene.things.get(thing) if thing is not None else None
    wanted = _canonical(room, param, value, name)
    for chunk in _chunks(room, param.slot or ""):
        if in_form(chunk, param, entity, room.now, name) == wanted is not None:
            return Supported(wanted, _proposed(_span_of(room, chunk.core, chunk.end)))
    return None


def _proposed(span: Span) -> Proof:
    return Proof(source="proposed", span=span)


def _chunks(room: Room, slot: str) -> Iterator[Chunk]:
    first, last = room.clause
    for at in range(first, last):
        yield from (chunk for chunk in room.sheet.chunks.get(at, ()) if chunk.slot == slot and chunk.end <= last)


def _canonical(room: Room, param: Param, value: Any, name: str) -> Any:
    """The value as our own readers give it: "High" → high, "domani" → the day, a date with seconds without them."""
    if not isinstance(value, str):
        return value
    allowed = param.schema.get("enum", ())
    plain = next((one for one in allowed if isinstance(one, str) and one.casefold() == value.strip().casefold()), None)
    if plain is not None or value in param.names.values():
        return plain or value
    moment = _moment(value)
    if moment is not None and "format" in param.schema:
        return moment
    return _as_read(room, param, value, name)


def _as_read(room: Room, param: Param, value: str, name: str) -> Any:
    """A value as it is read if the user says only this value."""
    whole = room.grammar.read(normalise(value), room.now).whole
    chunks = (chunk for chunk in whole.chunks if chunk.slot == param.slot and chunk.end - chunk.start == whole.end)
    read = (in_form(chunk, param, None, room.now, name) for chunk in chunks)
    return next((one for one in read if one is not None), value)


def _moment(value: str) -> str | None:
    """A date in machine format, without seconds and zone. Midnight does not count as a time of day."""
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    bare = len(value.strip()) <= len("2026-01-01") or (moment.hour, moment.minute) == (0, 0)
    return moment.date().isoformat() if bare else moment.strftime("%Y-%m-%dT%H:%M")


def _text(room: Room, value: str) -> Supported | None:
    """A text that the user said word for word, as the user wrote it."""
    wanted = [token.low for token in normalise(value).tokens if token.low.strip(".,;:!?'\"")]
    tokens = [token for token in room.sheet.text.tokens if token.low.strip(".,;:!?'\"")]
    lows = [token.low for token in tokens]
    for at in range(len(lows) - len(wanted) + 1):
        if wanted and lows[at : at + len(wanted)] == wanted:
            span = (tokens[at].start, tokens[at + len(wanted) - 1].end)
            return Supported(room.sheet.text.said(*span), _proposed(span))
    return None


def _entity(room: Room, value: str) -> Supported | None:
    """The thing that is meant, if the user named it, or if it is in focus and no other thing is mentioned."""
    meant = _meant(room, value)
    clause, names = Stretch(room.sheet, *room.clause), room.scene.names
    spoken = names.spoken_of(clause)
    best = _best(spoken, names.margin)
    if len(best) == 1 and best[0] in meant and names.is_named(best[0], room.sheet.whole):
        return Supported(best[0], Proof(source="proposed", entity=best[0], span=_whole(room)))
    focus = room.scene.earlier[-1:] or room.scene.focus
    if not spoken and len(focus) == 1 and focus[0] in meant and _points(room):
        return Supported(focus[0], Proof(source="history", entity=focus[0]))
    return None


def _best(scores: Mapping[str, float], margin: float) -> list[str]:
    """The ids with the best score, and those that are nearly as good."""
    return [one for one, score in scores.items() if score >= max(scores.values()) - margin]


def _points(room: Room) -> bool:
    first, last = room.clause
    return any(room.sheet.has(at, *_POINTING) for at in range(first, last))


def _meant(room: Room, value: str) -> frozenset[str]:
    """The things that an id or a name may mean."""
    identifier = room.scene.things.by_id(value.strip())
    return frozenset([identifier]) if identifier is not None else room.scene.names.called(value)


def _part(room: Room, slot: Slot, value: Any, thing: str | None, *, reads: bool) -> Supported | None:
    """The parts of the thing that are meant, by id or name, if the words mention them.

    For a read, the user may use another word than the thing does ("how much milk", the level), if the thing has the
    part and the words name none of its parts.
    """
    inventory = room.scene.inventory
    if thing is None:
        return None
    parts = _parts_of(inventory, slot, thing)
    spoken = _spoken_parts(room, parts)
    several = isinstance(value, list)
    ids = _ids_meant(inventory, parts, value if several else [value], spoken or (parts if reads else ()))
    if not ids:
        return None
    told = Proof(source="proposed", entity=thing, span=_whole(room))
    proof = told if spoken else Proof(source="entity", entity=thing)
    return Supported(ids if several else ids[0], proof)


def _parts_of(inventory: Inventory, slot: Slot, thing: str) -> Sequence[Part]:
    return next((one.parts for one in inventory.stock.things(slot.of, ()) if one.id == thing), ())


def _ids_meant(inventory: Inventory, parts: Sequence[Part], values: list[Any], allowed: Sequence[Part]) -> list[str]:
    """The ids of the parts that values name, as far as they are allowed."""
    meant = (_part_meant(parts, inventory.read(str(one)), one) for one in values)
    return [part.id for part in meant if part is not None and part in allowed]


def _spoken_parts(room: Room, parts: Sequence[Part]) -> list[Part]:
    """The parts that a word of the clause matches."""
    units = [unit for unit in said(Stretch(room.sheet, *room.clause)) if not unit.light]
    return [part for part in parts if any(unit.fits(one) for unit in units for one in part.units)]


def _part_meant(parts: Sequence[Part], names: Sequence[Unit], wanted: Any) -> Part | None:
    """The one part with this id or this name."""
    by_id = [part for part in parts if part.id == wanted]
    by_name = [part for part in parts if names and all(any(one.fits(own) for own in part.units) for one in names)]
    found = by_id or by_name
    return found[0] if len(found) == 1 else None


def _whole(room: Room) -> Span:
    return _span_of(room, *room.clause)


def _span_of(room: Room, first: int, last: int) -> Span:
    words = room.sheet.words
    return (words[first].start, words[max(last, first + 1) - 1].end)
