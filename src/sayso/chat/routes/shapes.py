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
# PostgreSQL cannot store a text with a NUL.
STORABLE = r"^[^\u0000]*$"
_CARD_ANSWER = re.compile(rf"{CARD_ANSWER}[0-9a-f-]{{36}} (yes|no)")


class Problem(BaseModel):
    """An error in the format of RFC 9457, with one text for each kind, in the user's language."""

    class Fault(BaseModel):
        """Where the request is wrong."""

        where: Annotated[Literal["body", "query", "path", "header"], Field(description="In which part of it.")]
        pointer: Annotated[str, Field(description="The place in it, as a JSON pointer.", examples=["/content"])]
        detail: Annotated[str, Field(description="What is wrong there.")]

    type: Annotated[str, Field(description="Names the kind of the problem.", examples=["urn:sayso:problem:invalid"])]
    title: Annotated[str, Field(description="The kind, in the user's language.")]
    status: Annotated[int, Field(description="The status of the answer.", examples=[422])]
    detail: Annotated[str, Field(description="What to do next, in the user's language.")]
    errors: list[Fault] = may_be_absent("For `invalid`: the first 20 errors.")
    question: str = may_be_absent("For `duplicate`: the question to ask the user before you send it again.")


class User(BaseModel):
    """Who is signed in."""

    id: Annotated[str, Field(description="The user's id.")]
    name: Annotated[str | None, Field(description="The name, if the token has one.")]
    lang: Annotated[str, Field(description="The default language of answers.")]
    zone: Annotated[str, Field(description="The time zone of due dates.", examples=["Europe/Rome"])]


class Session(BaseModel):
    """The session, and the ways to sign in."""

    signed_in: Annotated[bool, Field(description="Whether a user is signed in.")]
    user: Annotated[User | None, Field(description="The signed-in user.")]
    development: Annotated[bool, Field(description="Whether /auth/development accepts any name.")]
    login: Annotated[bool, Field(description="Whether there is an identity provider to sign in with, at /auth/login.")]
    machines: Annotated[bool, Field(description="Whether /v1/machines is available.")]
    version: Annotated[str, Field(description="The version of the service.")]


class DevelopmentSignIn(BaseModel):
    """The name to sign in with in development."""

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

    id: Annotated[UUID, Field(description="The id of the conversation.")]


def is_internal(name: str) -> bool:
    """Whether a message id has the form that the service itself uses for answers to cards."""
    return _CARD_ANSWER.match(name) is not None


def _own_name(name: str) -> str:
    if is_internal(name):
        raise ValueError("ids of this form are reserved: choose another one")
    return name


class NewMessage(BaseModel):
    """A user's message."""

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
            description="The client's id for the message. A message that is sent again with the same id runs once and "
            "gets the same answer. Ids of the form `card ID ANSWER` are reserved.",
        ),
        AfterValidator(_own_name),
    ]
    content: Annotated[
        str, Field(min_length=1, max_length=LONGEST_MESSAGE, pattern=STORABLE, description="The words, verbatim.")
    ]


class ConfirmationAnswer(BaseModel):
    """A user's answer to a card."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"answer": "yes", "digest": "5f2c" * 16}]}
    )

    answer: Annotated[Literal["yes", "no"], Field(description="The user's answer.")]
    digest: Annotated[
        str,
        Field(
            min_length=1,
            max_length=200,
            pattern=STORABLE,
            description="The digest of the card that the user saw. An answer with another digest is refused.",
        ),
    ]
    items: Annotated[
        list[ItemId] | None,
        Field(
            min_length=1,
            max_length=MOST_ITEMS,
            description="For a card with several items, the ids of the items that the user confirms. The others are "
            "declined. Without it, a yes confirms all. An id that is not on the card is refused.",
        ),
    ] = None


class CallResult(BaseModel):
    """A call that ran, and its result."""

    tool: Tool
    arguments: Arguments
    result: Annotated[
        dict[str, Any],
        Field(description="As the tool gives it over MCP; `status` says whether it worked."),
    ]
    undo: str = may_be_absent(
        "Send it to /v1/undo to undo the call. Absent if the call cannot be undone. Calls that one yes confirmed share "
        "it and are undone together."
    )


class CardItem(BaseModel):
    """One item of a card for several."""

    id: Annotated[str, Field(description="List it in `items` of the answer if the user confirms this item.")]
    card: Annotated[str, Field(description="The question about this item.", examples=['Delete "Buy milk"?'])]
    tool: Tool
    arguments: Arguments
    record: Annotated[
        dict[str, Any] | None, Field(description="The item that the call changes, as it is now, if it exists.")
    ]


class Card(BaseModel):
    """The question that the user sees before a call that requires confirmation. Only the server writes it."""

    id: Annotated[str, Field(description="Answer it at /v1/confirmations/{id}.")]
    digest: Annotated[str, Field(description="Send it with the answer.")]
    card: Annotated[str, Field(description="What to show.", examples=['Delete "Buy milk"?'])]
    expires_at: Annotated[str, Field(description="Until when it can be answered.")]
    record: Annotated[
        dict[str, Any] | None, Field(description="The item that the call changes, as it is now, if it exists.")
    ]
    undo_days: Annotated[int | None, Field(description="For how many days the call can be undone.")]
    items: Annotated[
        list[CardItem],
        Field(description="The items of a card for several. One yes runs all of them, or those listed in the answer."),
    ]


class Reply(BaseModel):
    """The result of a turn."""

    turn_id: Annotated[str, Field(description="Names the turn in the trail.")]
    decisions: Annotated[list[Decision], Field(description="The decisions, in the order of the message.")]
    results: Annotated[list[CallResult], Field(description="The calls that ran.")]
    reply: Annotated[str, Field(description="The text to show to the user.", examples=['I added "Buy milk".'])]
    confirmation: Annotated[Card | None, Field(description="The last of `confirmations`, or null.")]
    confirmations: Annotated[list[Card], Field(description="The cards of this turn, each with its own answer.")]
    settled: Annotated[
        dict[str, Literal["done", "failed", "stale", "expired", "declined", "superseded"]],
        Field(description="The cards and items of earlier turns that this turn closed, by id, with their state."),
    ]
    next: Annotated[list[FollowUp], Field(description="Calls that the user may want next. Sayso only offers them.")]
    undo: Annotated[str | None, Field(description="The `undo` of the last result that can be undone, if any.")]
    by_model: Annotated[bool, Field(description="Whether a language model wrote the reply or proposed what was done.")]


class MessageResult(BaseModel):
    """A message and its result."""

    number: Annotated[int, Field(description="Its place in the conversation.")]
    client_message_id: Annotated[str, Field(description="The client's id for the message.")]
    message: Annotated[str, Field(description="The user's message.")]
    reply: Annotated[Reply, Field(description="The result.")]
    at: Annotated[datetime, Field(description="When it was said.")]


class PendingMessage(BaseModel):
    """A message that still waits for its answer."""

    client_message_id: Annotated[
        str,
        Field(description="The client's id for the message. Send the message again with it to get the answer."),
    ]
    message: Annotated[str, Field(description="The user's message.")]
    at: Annotated[datetime, Field(description="When it was said.")]


class History(BaseModel):
    """The last messages of a conversation, oldest first, and what is open in it."""

    turns: Annotated[list[MessageResult], Field(description="A turn has `undo` only while it can be undone.")]
    cards: Annotated[list[Card], Field(description="Cards that can still be answered, oldest first.")]
    question: Annotated[Clarify | None, Field(description="The question that the next message may answer.")]
    thinking: Annotated[PendingMessage | None, Field(description="The message that is being answered.")]


class ConversationSummary(BaseModel):
    """A conversation, as a list shows it."""

    id: Annotated[UUID, Field(description="The id of the conversation.")]
    created_at: Annotated[datetime, Field(description="When it was opened.")]
    at: Annotated[datetime, Field(description="When it was last used.")]
    words: Annotated[str | None, Field(description="The user's last message; null before the first.")]


class Conversations(BaseModel):
    """The last conversations, the one used last first."""

    conversations: Annotated[list[ConversationSummary], Field(description="At most as many as were asked for.")]


class Changes(BaseModel):
    """How often the list has changed."""

    changes: Annotated[int, Field(description="Grows with each change.")]


class TrailQuery(BaseModel):
    """Which part of the trail is wanted."""

    model_config = ConfigDict(extra="forbid")

    after: Annotated[
        int, Field(ge=0, le=LARGEST_NUMBER, description="Only entries after this number, in the given order.")
    ] = 0
    limit: Annotated[int, Field(ge=1, le=200, description="How many at most.")] = 50
    order: Annotated[
        Literal["oldest", "newest"],
        Field(description="With `newest`, the pages go backwards: `after` 0 starts with the newest entry."),
    ] = "oldest"
    kind: Annotated[list[Kind], Field(max_length=20, description="Only entries of these kinds.")] = []


class TrailEntry(BaseModel):
    """Something that was decided or done, in the order in which it happened."""

    number: Annotated[int, Field(description="Its place in the user's trail.")]
    at: Annotated[datetime, Field(description="When it happened.")]
    kind: Annotated[str, Field(description="What it is: words, a decision, a call, a card, a click, and so on.")]
    conversation: Annotated[UUID | None, Field(description="Where it happened, if in a conversation.")]
    body: Annotated[Any, Field(description="What happened, as JSON; null once it was erased.")]
    salt: Annotated[str | None, Field(description="What the body is hashed with, in hexadecimal.")]
    body_hash: Annotated[str, Field(description="Stays when the body is erased.")]
    hash: Annotated[str, Field(description="Over this entry and the hash of the one before, in hexadecimal.")]


class Trail(BaseModel):
    """A page of the user's trail."""

    entries: Annotated[list[TrailEntry], Field(description="In the order asked for.")]
    next: Annotated[int | None, Field(description="Ask with this as `after` for the next page; null on the last.")]


class Verification(BaseModel):
    """The result of verifying the trail."""

    intact: Annotated[bool, Field(description="Whether the trail is intact.")]
    entries: Annotated[int, Field(description="The number of entries, or of those before the first wrong one.")]
    erased: Annotated[int, Field(description="How many of them were erased, each with a receipt in the trail.")]
    head: Annotated[
        str, Field(description="The last hash. Keep a copy: it reveals any later change to earlier entries.")
    ]
    problem: Annotated[str | None, Field(description="What is wrong, if anything.")]
