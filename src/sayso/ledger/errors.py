"""Errors of a request to continue a conversation. Nothing was done when one is raised.

LedgerError
├── NoConversation   no conversation has this id, or it belongs to another user
├── TurnInProgress   an earlier message of the conversation is still being answered
├── MessageReused    the client_message_id was used before, for another message
└── Refused          the card cannot be used; the answer is the same for every reason
"""

from __future__ import annotations

from sayso.errors import SaysoError


class LedgerError(SaysoError):
    """Base class of these errors."""


class NoConversation(LedgerError):
    """There is no such conversation."""


class TurnInProgress(LedgerError):
    """An earlier message is still being answered."""

    def __init__(self, number: int, retry_after: float) -> None:
        self.number, self.retry_after, self.is_over = number, max(1.0, retry_after), retry_after <= 0
        super().__init__(f"an earlier message is still being answered: try again in {retry_after:.0f} seconds")


class MessageReused(LedgerError):
    """The same id was sent with another message."""


class Refused(LedgerError):
    """The card cannot be used."""
