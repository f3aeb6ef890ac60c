"""Finds words that may speak against a call: a grant does not cover a call beside "don't add any more"."""

from __future__ import annotations

import re
from functools import cache

from sayso.languages.load import installed_language, installed_tags


def may_deny(message: str) -> bool:
    """Whether a message has a negation of any installed language."""
    return _negations().search(message.casefold().replace("\u2019", "'")) is not None


@cache
def _negations() -> re.Pattern[str]:
    phrases = [each for tag in installed_tags() for each in installed_language(tag).words.classes.get("negation", ())]
    whole = "|".join(re.escape(each) for each in phrases if "'" not in each)
    endings = "|".join(re.escape(each) for each in phrases if "'" in each)
    return re.compile(rf"\b(?:{whole})\b" + (rf"|(?:{endings})\b" if endings else ""))
