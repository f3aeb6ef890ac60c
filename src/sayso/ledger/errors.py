"""Errors of a request to continue a conversation. Nothing was done when one is raised.

LedgerError
├── NoConversation   there is none of this id, or it is somebody else's
├── TurnInProgress   an earlier message of the conversation is still being answered
├── MessageReused    the sender's id for the message was used before, for another message
└── Refused          a card that cannot be used: for whatever reason, there is one answer
"""

from __future__ import annotations

from sayso.errors import SaysoError


class LedgerError(SaysoError):
    """Base of these."""


class NoConversation(LedgerError):
    """There is no such conversation."""


class TurnInProgress(LedgerError):
    """An earlier message is still being answered."""

    def __init__(self, number: int, retry_after: float) -> None:
        self.number, self.retry_after, self.is_over = number, max(1.0, retry_after), retry_after <= 0
        super().__init__(f"an earlier message is still being answered: try again in {retry_after:.0f} seconds")


class MessageReused(LedgerError):
    """One id, two messages."""


class Refused(LedgerError):
    """A card that cannot be used."""
