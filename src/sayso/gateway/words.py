"""Takes the user's words out of a call: the client's own, else those that a model reports."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from sayso.case import Turn
from sayso.gateway.guarded import WORDS
from sayso.gateway.values import Words

WORDS_IN_META, HISTORY_IN_META = "sayso/words", "sayso/history"
LONGEST_WORDS = 10_000


def take_words(arguments: dict[str, Any], meta: Any) -> tuple[dict[str, Any], Words]:
    """The call without the user's words, and the words: the client's own, else those that the model reports."""
    plain = {name: value for name, value in arguments.items() if name != WORDS}
    told = meta.get(WORDS_IN_META)
    trusted = isinstance(told, str) and bool(told.strip())
    message = told if trusted else arguments.get(WORDS)
    if not isinstance(message, str):
        return plain, Words()
    try:
        history = msgspec.convert(meta.get(HISTORY_IN_META) or (), tuple[Turn, ...]) if trusted else ()
    except msgspec.ValidationError:
        history = ()
    source: Literal["client", "model"] = "client" if trusted else "model"
    return plain, Words(message=message[:LONGEST_WORDS], history=history, trusted=trusted, source=source)
