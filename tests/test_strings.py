"""Every string that users see has both languages side by side, in one table."""

from __future__ import annotations

import pytest

from docsite.spelling.texts import LANGUAGES
from docsite.strings import markdown, place_of, strings

BOTH = ("web/src/words/", "src/sayso/cli/assistant/chat.yaml", "src/sayso/packs/tasks/answers/", "src/sayso/gateway/")


@pytest.mark.parametrize("start", BOTH)
def test_the_page_the_terminal_the_answers_and_the_gateway_are_in_the_table(start):
    assert any(one.place.startswith(start) and set(one.texts) == set(LANGUAGES) for one in strings())


def test_a_string_of_the_services_has_both_languages():
    """Packs and plurals may differ: a language has forms that the other does not need."""
    for one in strings():
        if "messages.yaml" in one.place or "problems.yaml" in one.place:
            assert set(one.texts) == set(LANGUAGES), one.place


def test_the_place_is_the_same_in_every_language():
    assert place_of("web/src/words/it.json.menu.open", "it") == "web/src/words/LANGUAGE.json.menu.open"
    assert place_of("a/messages.yaml: en.title", "en") == "a/messages.yaml: LANGUAGE.title"
    assert "|Settings|Impostazioni|" in markdown()
