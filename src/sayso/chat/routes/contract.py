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
CARD_ANSWER = "card "  # what the names of turns begin with that answer a card
MOST_ENTITIES = 5_000

Arguments: TypeAlias = Annotated[
    dict[str, Any],
    Field(description="The tool's arguments, in the form of its JSON Schema.", examples=[{"task_identifier": "t1"}]),
]


def _number(value: object) -> object:
    """A JSON number: pydantic would also read true and "1"."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("a number is wanted")
    return value


Confidence: TypeAlias = Annotated[
    float, BeforeValidator(_number), Field(description="How sure, from 0 to 1.", examples=[0.95])
]
# The bounds stand before the validator: after it, the description would not show them.
Count: TypeAlias = Annotated[int, Field(ge=0, le=1_000_000), BeforeValidator(_number)]
Tool: TypeAlias = Annotated[str, Field(description="The tool's name.", examples=["complete_task"])]
Words: TypeAlias = Annotated[str, Field(max_length=LONGEST_MESSAGE)]
Label: TypeAlias = Annotated[str, Field(description="What the person sees.")]


def may_be_absent(description: str) -> Any:
    """A field that may be left out, but is never null."""
    return Field(default=None, description=description, json_schema_extra=_without_default)


def _without_default(schema: JsonDict) -> None:
    schema.pop("default", None)


def _written(moment: object) -> object:
    """A moment as people write it: pydantic would also read seconds since 1970."""
    if not isinstance(moment, str) or "T" not in moment.upper():
        raise ValueError("write it as 2026-03-10T09:00:00+01:00")
    return moment


class Evidence(BaseModel):
    """Where the value of an argument comes from."""

    source: Annotated[
        Source, Field(description="What it was taken from: the words, an earlier turn, a thing, the open question")
    ]
    entity: str = may_be_absent("The id of the thing that is meant.")
    span: tuple[Count, Count] = may_be_absent("Where the message says it: two offsets, counted in characters.")


class Option(BaseModel):
    """One answer to a question, ready to run once chosen."""

    label: Label
    tool: Tool
    arguments: Arguments
    confidence: Confidence = 0.5


class FollowUp(BaseModel):
    """Something the person may want next: offered, never run."""

    label: Label
    tool: Tool
    arguments: Arguments = {}


Evidences: TypeAlias = Annotated[dict[str, Evidence], Field(description="For every argument, where it comes from.")]
Question: TypeAlias = Annotated[str, Field(description="What the person is asked.")]


class Call(BaseModel):
    """Run it now."""

    kind: Annotated[Literal["call"], Field(description="Which decision it is.")]
    tool: Tool
    arguments: Arguments
    confidence: Confidence
    evidence: Evidences = {}


class Confirm(BaseModel):
    """Ready, but a person must say yes first."""

    kind: Annotated[Literal["confirm"], Field(description="Which decision it is.")]
    tool: Tool
    arguments: Arguments
    confidence: Confidence
    evidence: Evidences = {}
    question: Question
    reason: Annotated[ConfirmReason, Field(description="Why a yes is needed.")]
    group: str = may_be_absent("Questions with the same group are one: a yes by word answers all of them.")


class Clarify(BaseModel):
    """Something is missing, not found or ambiguous."""

    kind: Annotated[Literal["clarify"], Field(description="Which decision it is.")]
    tool: Annotated[str | None, Field(description="The tool's name; null if even that is open.")]
    arguments: Arguments = {}
    missing: Annotated[list[str], Field(description="The names of the arguments that are missing.")] = []
    confidence: Confidence
    question: Question
    options: Annotated[list[Option], Field(description="What could be meant, best first.")] = []
    reason: Annotated[ClarifyReason, Field(description="Why it is asked.")]


class Nothing(BaseModel):
    """No tool has business here."""

    kind: Annotated[Literal["none"], Field(description="Which decision it is.")]
    confidence: Confidence
    reason: Annotated[NothingReason, Field(description="Why nothing is done.")]
    reply: str = may_be_absent("What can be said to the person.")


Decision: TypeAlias = Annotated[Call | Confirm | Clarify | Nothing, Field(discriminator="kind")]


class Entity(BaseModel):
    """One of the person's own things, as the pack's list tool returns it. The other fields are the pack's."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={"examples": [{"kind": "task", "id": "t1", "title": "Buy milk", "status": "pending"}]},
    )

    kind: Annotated[str, Field(min_length=1, description="What kind of thing it is, as the pack calls it.")]
    id: Annotated[str, Field(min_length=1, description="What tools call it.")]


class Turn(BaseModel):
    """An earlier message."""

    role: Annotated[Literal["user", "assistant"], Field(description="Who said it.")]
    content: Annotated[Words, Field(description="What was said, verbatim.")]
    shown: Annotated[
        list[str] | None, Field(description="The ids that the turn put before the person, in the order shown.")
    ] = None


class Preference(BaseModel):
    """What this person chose before among several."""

    said: Annotated[str, Field(description="The words that could have meant several things.")]
    chose: Annotated[str, Field(description="The id of the thing that was chosen.")]
    times: Annotated[Count, Field(description="How often.")] = 1


class Proposal(BaseModel):
    """A tool call that a language model proposes; nothing in it is believed unseen."""

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
    """A message with all that a decision may rest on. Unknown fields are passed over."""

    model_config = ConfigDict(json_schema_extra={"examples": [_WORDS_ALONE]})

    message: Annotated[Words, Field(description="What the person said just now, verbatim.")]
    now: Annotated[
        Annotated[AwareDatetime, BeforeValidator(_written)] | None,
        Field(
            description="The person's clock, with offset. Over HTTP, where it is absent: the server's, in their zone."
        ),
    ] = None
    id: Annotated[str, Field(max_length=200, description="Comes back with the answer.")] = ""
    pack: Annotated[
        str, Field(description="What the person talks about.", json_schema_extra={"enum": list(installed_packs())})
    ] = "tasks"
    lang: Annotated[
        str | None, Field(max_length=35, description="A hint, a BCP-47 tag. Where it is absent it is found out.")
    ] = None
    user: Annotated[
        dict[str, Any], Field(description="Who it is; over HTTP whoever is signed in, whatever stands here.")
    ] = {}
    entities: Annotated[
        list[Entity],
        Field(
            max_length=MOST_ENTITIES, description="The person's own things: `kind`, `id`, and the fields of the pack."
        ),
    ] = []
    history: Annotated[list[Turn], Field(max_length=200, description="Earlier turns, oldest first.")] = []
    pending: Annotated[
        Annotated[Confirm | Clarify, Field(discriminator="kind")] | None,
        Field(description="The question that the last turn left open."),
    ] = None
    preferences: Annotated[
        list[Preference], Field(max_length=1000, description="What the person chose before: it is offered first.")
    ] = []
    proposed: Annotated[
        Proposal | None, Field(description="A tool call that a language model proposes; null: the words alone decide.")
    ] = None


class ProposedCase(Case):
    """A case with a proposed call: the words, the partial call, and what was said before."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [_WORDS_ALONE | {"proposed": {"tool": "complete_task", "arguments": {}}}]}
    )

    proposed: Annotated[Proposal, Field(description="The tool call that a language model proposes.")]


class Answer(BaseModel):
    """What a case comes to: one or more decisions, in the order of the words."""

    id: Annotated[str, Field(description="The case's id.")]
    lang: Annotated[str, Field(description="The language that was spoken.", examples=["en"])]
    decisions: Annotated[list[Decision], Field(min_length=1, description="In the order of the words.")]
    next: list[FollowUp] = may_be_absent("Up to three things that the person may want now.")
