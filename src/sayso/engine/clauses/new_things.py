"""Keeps track of the things that a message creates, so that later clauses can refer to them.

"add call Bob and then mark it as done": "it" has no id before the task exists, so its new name identifies it.
"""

from __future__ import annotations

from collections.abc import Iterable

from sayso.decision import Call, Clarify, Decision, Pending
from sayso.engine.clauses.clause import Sense
from sayso.engine.grammar.pack import Pack
from sayso.engine.grammar.sheet import Target
from sayso.engine.linking.focus import UNKNOWN, Made, Scene
from sayso.engine.slots.reading import Reading


def after(pack: Pack, scene: Scene, reading: Reading) -> Scene:
    """The scene after this clause: "it" is the thing that the clause is about or creates, even if that is unknown."""
    tool = pack.acts[reading.act].tool
    param = pack.naming_param(tool)
    if tool is not None and param is not None:
        piece = reading.texts.get(pack.tools[tool].params[param].slot or "")
        return scene.make(Made(piece.text, span=piece.span)) if piece is not None else scene.mention((UNKNOWN,))
    target = reading.target
    lost = target is not None and target.problem in ("not_found", "ambiguous") and not target.pronoun
    elsewhere = tool is None and bool(reading.texts)  # "add Jo to my contacts"
    return scene.mention((UNKNOWN,) if lost or elsewhere else reading.about)


def with_question(pack: Pack, scene: Scene, pending: Pending) -> Scene:
    """The scene with the item of the open question in focus, whether it exists or would be created."""
    target, naming = pack.target_param(pending.tool), pack.naming_param(pending.tool)
    known = pending.arguments.get(target) if target is not None else None
    if known is None and isinstance(pending, Clarify) and pending.reason == "not_found":
        return scene._replace(
            focus=(), earlier=(UNKNOWN,)
        )  # the last thing mentioned does not exist, and "it" is not the thing before that one either
    if isinstance(known, str) and scene.things.get(known) is not None:
        return scene._replace(focus=(known,))
    if naming is None:
        return scene
    name = pending.arguments.get(naming)
    return scene.make(Made(name, "pending")) if isinstance(name, str) else scene.mention((UNKNOWN,))


def made_by(pack: Pack, decision: Decision) -> str | None:
    """The name of the thing that a call creates."""
    param = pack.naming_param(decision.tool) if isinstance(decision, Call) else None
    name = decision.arguments.get(param) if isinstance(decision, Call) and param is not None else None
    return name if isinstance(name, str) else None


def with_known_target(pack: Pack, scene: Scene, sense: Sense, decisions: Iterable[Decision]) -> Sense:
    """The sense. If its item neither exists nor is created by an earlier call, its target becomes `missing`."""
    target = sense.reading.target
    if target is None or not target.ids:
        return sense
    coming = {made_by(pack, decision) for decision in decisions}
    if all(_is_sure(pack, scene, sense.reading, name, name in coming) for name in target.ids):
        return sense
    lost = Target(problem="missing", span=target.span, said=target.said, pronoun=target.pronoun)
    return sense._replace(reading=sense.reading._replace(target=lost))


def _is_sure(pack: Pack, scene: Scene, reading: Reading, name: str, coming: bool) -> bool:
    """Whether a thing exists, or is about to exist under a name that is not the id of another thing."""
    if scene.things.by_id(name) is not None:
        return scene.made_as(name) is None
    if name == UNKNOWN or coming or reading.target_param is None:
        return name != UNKNOWN
    tool = pack.tools[pack.acts[reading.act].tool or ""]
    slot = tool.params[reading.target_param].slot or ""
    return scene.made_as(name) is None and pack.slots[slot].open  # an id that was taken from the words as they are
