"""Request and response shapes of the API."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from sayso.chat.routes.contract import (
    CARD_ANSWER,
    LONGEST_MESSAGE,
    Arguments,
    Clarify,
    Decision,
    FollowUp,
    Tool,
    may_be_absent,
)

LARGEST_NUMBER = 2**63 - 1
MOST_ITEMS = 100
ItemId: TypeAlias = Annotated[str, Field(pattern="^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
Kind: TypeAlias = Annotated[str, Field(pattern="^[a-z]{1,20}$", examples=["call"])]
# PostgreSQL keeps every text but one with a NUL.
STORABLE = r"^[^\u0000]*$"
_CARD_ANSWER = re.compile(rf"{CARD_ANSWER}[0-9a-f-]{{36}} (yes|no)")


class Problem(BaseModel):
    """An error, as RFC 9457 has it: one text for each kind, in the person's language."""

    class Fault(BaseModel):
        """Where the request is wrong."""

        where: Annotated[Literal["body", "query", "path", "header"], Field(description="In which part of it.")]
        pointer: Annotated[str, Field(description="The place in it, as a JSON pointer.", examples=["/content"])]
        detail: Annotated[str, Field(description="What is wrong there.")]

    type: Annotated[str, Field(description="Names the kind of the problem.", examples=["urn:sayso:problem:invalid"])]
    title: Annotated[str, Field(description="The kind, in the person's language.")]
    status: Annotated[int, Field(description="The status of the answer.", examples=[422])]
    detail: Annotated[str, Field(description="What to do next, in the person's language.")]
    errors: list[Fault] = may_be_absent("With `invalid`: where the request is wrong, the first 20 places.")
    question: str = may_be_absent("With `duplicate`: what to ask the person before it is sent again.")


class User(BaseModel):
    """Who is signed in."""

    id: Annotated[str, Field(description="Who they are to the service.")]
    name: Annotated[str | None, Field(description="What they are called, if the token says so.")]
    lang: Annotated[str, Field(description="The language they are answered in, unless they speak another.")]
    zone: Annotated[
        str, Field(description="Their time zone: the clock by which tasks are due.", examples=["Europe/Rome"])
    ]


class Session(BaseModel):
    """Whether somebody is signed in, and how somebody could."""

    signed_in: Annotated[bool, Field(description="Whether somebody is.")]
    user: Annotated[User | None, Field(description="Who it is.")]
    development: Annotated[bool, Field(description="Whether anybody can say who they are, at /auth/development.")]
    login: Annotated[bool, Field(description="Whether there is an identity provider to sign in with, at /auth/login.")]
    machines: Annotated[bool, Field(description="Whether the service reaches machines: /v1/machines.")]
    version: Annotated[str, Field(description="The version of the service.")]


class DevelopmentSignIn(BaseModel):
    """Who you say you are."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"name": "ada", "zone": "Europe/Rome", "lang": "it"}]},
    )

    name: Annotated[str, Field(min_length=1, max_length=200, pattern=STORABLE, description="Any name.")]
    zone: Annotated[str | None, Field(max_length=100, description="A time zone of the IANA's list.")] = None
    lang: Annotated[str | None, Field(max_length=35, description="A BCP-47 tag.")] = None


class Conversation(BaseModel):
    """A conversation."""

    id: Annotated[UUID, Field(description="What its messages are sent to.")]


def is_internal(name: str) -> bool:
    """Whether a message's name is of the form that the service gives to turns itself."""
    return _CARD_ANSWER.match(name) is not None


def _own_name(name: str) -> str:
    if is_internal(name):
        raise ValueError("names of this form are the service's own: choose another")
    return name


class NewMessage(BaseModel):
    """What a person says."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"client_message_id": "m-1", "content": "add a task to buy milk"}]},
    )

    client_message_id: Annotated[
        str,
        Field(
            min_length=1,
            max_length=200,
            pattern=STORABLE,
            description="The client's own name for the message: sent again, it is answered again and done once. It may "
            "not be `card`, an id and an answer: turns that answer a card have such names.",
        ),
        AfterValidator(_own_name),
    ]
    content: Annotated[
        str, Field(min_length=1, max_length=LONGEST_MESSAGE, pattern=STORABLE, description="The words, verbatim.")
    ]


class ConfirmationAnswer(BaseModel):
    """What a person says to a card."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"answer": "yes", "digest": "5f2c" * 16}]}
    )

    answer: Annotated[Literal["yes", "no"], Field(description="What the person said.")]
    digest: Annotated[
        str,
        Field(
            min_length=1,
            max_length=200,
            pattern=STORABLE,
            description="The digest of the card that the person was shown: a yes to another card counts for nothing.",
        ),
    ]
    items: Annotated[
        list[ItemId] | None,
        Field(
            min_length=1,
            max_length=MOST_ITEMS,
            description="Of a card for several things, the ids of the `items` that a yes is for: the person took the "
            "others out, and they are declined. Without it a yes is for all. An id that is not on the card is refused.",
        ),
    ] = None


class Deed(BaseModel):
    """A call that ran, and what the tool gave."""

    tool: Tool
    arguments: Arguments
    result: Annotated[
        dict[str, Any],
        Field(description="As the tool gives it over MCP; `status` says whether it worked."),
    ]
    undo: str = may_be_absent(
        "Where it can be taken back: send it to /v1/undo. What one yes did has the same one, and is taken back at once."
    )


class CardItem(BaseModel):
    """One of the things that a card for several asks about."""

    id: Annotated[str, Field(description="Name it in `items` of the answer, unless the person takes it out.")]
    card: Annotated[str, Field(description="The question about this one alone.", examples=['Delete "Buy milk"?'])]
    tool: Tool
    arguments: Arguments
    record: Annotated[
        dict[str, Any] | None, Field(description="The thing that it is about, as it is now, if there is one.")
    ]


class Card(BaseModel):
    """What a person is shown before something runs that needs their yes. Written by the server alone."""

    id: Annotated[str, Field(description="Answer it at /v1/confirmations/{id}.")]
    digest: Annotated[str, Field(description="Send it with the answer.")]
    card: Annotated[str, Field(description="What to show.", examples=['Delete "Buy milk"?'])]
    expires_at: Annotated[str, Field(description="Until when it can be answered.")]
    record: Annotated[
        dict[str, Any] | None, Field(description="The thing that it is about, as it is now, if there is one.")
    ]
    undo_days: Annotated[int | None, Field(description="For how many days what a yes does can be taken back.")]
    items: Annotated[
        list[CardItem],
        Field(description="Of a card for several things, each of them: one yes runs them all, or those that are left."),
    ]


class Reply(BaseModel):
    """What a turn comes to."""

    turn_id: Annotated[str, Field(description="Names the turn in the trail.")]
    decisions: Annotated[list[Decision], Field(description="What the words came to, in their order.")]
    results: Annotated[list[Deed], Field(description="What ran.")]
    reply: Annotated[str, Field(description="What is said to the person.", examples=['I added "Buy milk".'])]
    confirmation: Annotated[
        Card | None, Field(description="The card that waits for an answer, if there is one; of several the last.")
    ]
    confirmations: Annotated[
        list[Card], Field(description="All cards of this turn that wait for an answer, each for itself.")
    ]
    settled: Annotated[
        dict[str, Literal["done", "failed", "stale", "expired", "declined", "superseded"]],
        Field(
            description="By their ids, the cards and items of before that are open no more, and what became of each."
        ),
    ]
    next: Annotated[list[FollowUp], Field(description="What the person may want now: offered, never run.")]
    undo: Annotated[str | None, Field(description="The last of `results` that can be taken back, if there is one.")]
    by_model: Annotated[bool, Field(description="Whether a language model wrote the reply or proposed what was done.")]


class Said(BaseModel):
    """A message and what it came to."""

    number: Annotated[int, Field(description="Its place in the conversation.")]
    client_message_id: Annotated[str, Field(description="The client's own name for the message.")]
    message: Annotated[str, Field(description="What the person said.")]
    reply: Annotated[Reply, Field(description="What it came to.")]
    at: Annotated[datetime, Field(description="When it was said.")]


class Waiting(BaseModel):
    """A message that still waits for its answer."""

    client_message_id: Annotated[str, Field(description="Sent again under it, the message has its answer.")]
    message: Annotated[str, Field(description="What the person said.")]
    at: Annotated[datetime, Field(description="When it was said.")]


class History(BaseModel):
    """The last messages of a conversation, oldest first, and what is open in it."""

    turns: Annotated[list[Said], Field(description="`undo` is there only where something can still be taken back.")]
    cards: Annotated[list[Card], Field(description="Cards that can still be answered, oldest first.")]
    question: Annotated[Clarify | None, Field(description="The question that the next message may answer.")]
    thinking: Annotated[Waiting | None, Field(description="The message that is being answered.")]


class Spoken(BaseModel):
    """A conversation, as a list shows it."""

    id: Annotated[UUID, Field(description="What its messages are sent to.")]
    created_at: Annotated[datetime, Field(description="When it was opened.")]
    at: Annotated[datetime, Field(description="When it was last used.")]
    words: Annotated[str | None, Field(description="What the person said last; null before they say something.")]


class Conversations(BaseModel):
    """The last conversations, the one used last first."""

    conversations: Annotated[list[Spoken], Field(description="At most as many as were asked for.")]


class Changes(BaseModel):
    """How often the list has changed."""

    changes: Annotated[int, Field(description="Grows with each change.")]


class TrailQuery(BaseModel):
    """Which part of the trail is wanted."""

    model_config = ConfigDict(extra="forbid")

    after: Annotated[
        int, Field(ge=0, le=LARGEST_NUMBER, description="Only what comes after this number in the order asked for.")
    ] = 0
    limit: Annotated[int, Field(ge=1, le=200, description="How many at most.")] = 50
    order: Annotated[
        Literal["oldest", "newest"],
        Field(description="With `newest`, `after` and `next` lead backwards; 0 begins at the end."),
    ] = "oldest"
    kind: Annotated[list[Kind], Field(max_length=20, description="Only entries of these kinds.")] = []


class TrailEntry(BaseModel):
    """Something that was decided or done, in the order in which it happened."""

    number: Annotated[int, Field(description="Its place in the person's trail.")]
    at: Annotated[datetime, Field(description="When it happened.")]
    kind: Annotated[str, Field(description="What it is: words, a decision, a call, a card, a click, and so on.")]
    conversation: Annotated[UUID | None, Field(description="Where it happened, if in a conversation.")]
    body: Annotated[Any, Field(description="What happened, as JSON; null once it was erased.")]
    salt: Annotated[str | None, Field(description="What the body is hashed with, in hexadecimal.")]
    body_hash: Annotated[str, Field(description="Stays when the body is erased.")]
    hash: Annotated[str, Field(description="Over this entry and the hash of the one before, in hexadecimal.")]


class Trail(BaseModel):
    """A page of the person's trail."""

    entries: Annotated[list[TrailEntry], Field(description="In the order asked for.")]
    next: Annotated[int | None, Field(description="Ask with this as `after` for the next page; null on the last.")]


class Verification(BaseModel):
    """Whether the trail is as it was written."""

    intact: Annotated[bool, Field(description="Whether it is.")]
    entries: Annotated[int, Field(description="How many there are, or come before the first that is wrong.")]
    erased: Annotated[int, Field(description="How many of them were erased, each with a receipt in the trail.")]
    head: Annotated[str, Field(description="The last hash: keep it, and no later change of the past goes unnoticed.")]
    problem: Annotated[str | None, Field(description="What is wrong, if anything.")]
