"""The decision contract as the API describes it: a case in, an answer out.

The fields are those of `sayso.case` and `sayso.decision`, with bounds and explanations.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.config import JsonDict

from sayso.decision import ClarifyReason, ConfirmReason, NothingReason, Source
from sayso.packs.load import installed_packs

LONGEST_MESSAGE = 10_000
CARD_ANSWER = "card "  # the prefix of message ids for answers to cards
MOST_ENTITIES = 5_000

Arguments: TypeAlias = Annotated[
    dict[str, Any],
    Field(description="The tool's arguments.", examples=[{"task_identifier": "t1"}]),
]


def _number(value: object) -> object:
    """Accept only JSON numbers: pydantic would also accept true and "1"."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("must be a JSON number")
    return value


Confidence: TypeAlias = Annotated[
    float, BeforeValidator(_number), Field(description="How sure, from 0 to 1.", examples=[0.95])
]
# The bounds come before the validator: after it, the description would not show them.
Count: TypeAlias = Annotated[int, Field(ge=0, le=1_000_000), BeforeValidator(_number)]
Tool: TypeAlias = Annotated[str, Field(description="The tool's name.", examples=["complete_task"])]
Words: TypeAlias = Annotated[str, Field(max_length=LONGEST_MESSAGE)]
Label: TypeAlias = Annotated[str, Field(description="The text for the user.")]


def may_be_absent(description: str) -> Any:
    """A field that may be left out, but is never null."""
    return Field(default=None, description=description, json_schema_extra=_without_default)


def _without_default(schema: JsonDict) -> None:
    schema.pop("default", None)


def _written(moment: object) -> object:
    """Accept only ISO 8601 texts: pydantic would also accept seconds since 1970."""
    if not isinstance(moment, str) or "T" not in moment.upper():
        raise ValueError("write it as 2026-03-10T09:00:00+01:00")
    return moment


class Evidence(BaseModel):
    """Where the value of an argument comes from."""

    source: Annotated[Source, Field(description="The message, an earlier turn, an item, or the open question.")]
    entity: str = may_be_absent("The id of the item.")
    span: tuple[Count, Count] = may_be_absent("Two offsets into the message, in characters.")


class Option(BaseModel):
    """One possible answer to a question."""

    label: Label
    tool: Tool
    arguments: Arguments
    confidence: Confidence = 0.5


class FollowUp(BaseModel):
    """A call that the user may want next. Sayso only offers it."""

    label: Label
    tool: Tool
    arguments: Arguments = {}


Evidences: TypeAlias = Annotated[dict[str, Evidence], Field(description="Where each argument comes from.")]
Question: TypeAlias = Annotated[str, Field(description="The question for the user.")]


class Call(BaseModel):
    """Run it now."""

    kind: Annotated[Literal["call"], Field(description="The kind of decision.")]
    tool: Tool
    arguments: Arguments
    confidence: Confidence
    evidence: Evidences = {}


class Confirm(BaseModel):
    """Run it after the user confirms."""

    kind: Annotated[Literal["confirm"], Field(description="The kind of decision.")]
    tool: Tool
    arguments: Arguments
    confidence: Confidence
    evidence: Evidences = {}
    question: Question
    reason: Annotated[ConfirmReason, Field(description="Why confirmation is required.")]
    group: str = may_be_absent("Decisions with the same group are one question: one yes confirms all of them.")


class Clarify(BaseModel):
    """Something is missing, not found or ambiguous."""

    kind: Annotated[Literal["clarify"], Field(description="The kind of decision.")]
    tool: Annotated[str | None, Field(description="The tool's name; null if the tool is not known.")]
    arguments: Arguments = {}
    missing: Annotated[list[str], Field(description="The names of missing arguments.")] = []
    confidence: Confidence
    question: Question
    options: Annotated[list[Option], Field(description="Possible answers, best first.")] = []
    reason: Annotated[ClarifyReason, Field(description="Why Sayso asks.")]


class Nothing(BaseModel):
    """Call no tool."""

    kind: Annotated[Literal["none"], Field(description="The kind of decision.")]
    confidence: Confidence
    reason: Annotated[NothingReason, Field(description="Why nothing runs.")]
    reply: str = may_be_absent("A reply for the user.")


Decision: TypeAlias = Annotated[Call | Confirm | Clarify | Nothing, Field(discriminator="kind")]


class Entity(BaseModel):
    """One of the user's items, as the pack's list tool returns it. The pack defines the other fields."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={"examples": [{"kind": "task", "id": "t1", "title": "Buy milk", "status": "pending"}]},
    )

    kind: Annotated[str, Field(min_length=1, description="The kind of item, as the pack names it.")]
    id: Annotated[str, Field(min_length=1, description="Its id in tool calls.")]


class Turn(BaseModel):
    """An earlier message."""

    role: Annotated[Literal["user", "assistant"], Field(description="Who said it.")]
    content: Annotated[Words, Field(description="The text, verbatim.")]
    shown: Annotated[list[str] | None, Field(description="The ids that the turn showed, in order.")] = None


class Preference(BaseModel):
    """What the user chose before among several items."""

    said: Annotated[str, Field(description="The ambiguous words.")]
    chose: Annotated[str, Field(description="The id of the chosen item.")]
    times: Annotated[Count, Field(description="How often.")] = 1


class Proposal(BaseModel):
    """A tool call that a language model proposes. Sayso checks every value."""

    tool: Tool
    arguments: Annotated[Any, Field(description="May be empty, partial, misnamed or wrong.")] = {}


_WORDS_ALONE: JsonDict = {
    "id": "1",
    "pack": "tasks",
    "now": "2026-03-10T09:00:00+01:00",
    "entities": [{"kind": "task", "id": "t1", "title": "Finish the report", "status": "pending"}],
    "history": [
        {"role": "user", "content": "show my tasks"},
        {"role": "assistant", "content": "1. Finish the report", "shown": ["t1"]},
    ],
    "message": "mark it as done",
}


class Case(BaseModel):
    """A message with its context. Unknown fields are ignored."""

    model_config = ConfigDict(json_schema_extra={"examples": [_WORDS_ALONE]})

    message: Annotated[Words, Field(description="The user's message, verbatim.")]
    now: Annotated[
        Annotated[AwareDatetime, BeforeValidator(_written)] | None,
        Field(description="The user's time, with offset. The default over HTTP is the server's time."),
    ] = None
    id: Annotated[str, Field(max_length=200, description="Returned with the answer.")] = ""
    pack: Annotated[str, Field(description="The domain.", json_schema_extra={"enum": list(installed_packs())})] = (
        "tasks"
    )
    lang: Annotated[
        str | None, Field(max_length=35, description="The language, a BCP-47 tag. Detected if not given.")
    ] = None
    user: Annotated[dict[str, Any], Field(description="The user. Over HTTP, the authenticated user.")] = {}
    entities: Annotated[
        list[Entity],
        Field(max_length=MOST_ENTITIES, description="The user's items: `kind`, `id`, and the fields of the pack."),
    ] = []
    history: Annotated[list[Turn], Field(max_length=200, description="Earlier turns, oldest first.")] = []
    pending: Annotated[
        Annotated[Confirm | Clarify, Field(discriminator="kind")] | None,
        Field(description="The open question of the last turn."),
    ] = None
    preferences: Annotated[
        list[Preference], Field(max_length=1000, description="Earlier choices, which are offered first.")
    ] = []
    proposed: Annotated[Proposal | None, Field(description="A tool call that a language model proposes.")] = None


class ProposedCase(Case):
    """A case with a proposed call."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [_WORDS_ALONE | {"proposed": {"tool": "complete_task", "arguments": {}}}]}
    )

    proposed: Annotated[Proposal, Field(description="The proposed tool call.")]


class Answer(BaseModel):
    """The result of a case: one or more decisions, in the order of the message."""

    id: Annotated[str, Field(description="The case's id.")]
    lang: Annotated[str, Field(description="The language of the message.", examples=["en"])]
    decisions: Annotated[list[Decision], Field(min_length=1, description="In the order of the message.")]
    next: list[FollowUp] = may_be_absent("Up to three calls that the user may want next.")
