"""A slip in the documentation, on the page or in what is said back is found, in both languages; code is not read."""

from __future__ import annotations

import shutil

import pytest

from docsite.spelling.check import unknown, words
from docsite.spelling.texts import LANGUAGES, Text, prose, texts

SLIPS = {"en": ("The person recieves an answer.", "recieves"), "it": ("Non c'è nesuna attività.", "nesuna")}


@pytest.mark.skipif(shutil.which("hunspell") is None, reason="no hunspell")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_slip_is_found_where_it_stands(language):
    text, slip = SLIPS[language]
    assert unknown(language, words(language, [Text("here", text)])) == {slip: "here"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_and_what_is_said_back_are_read(language):
    places = {text.place.partition(":")[0] for text in texts(language)}
    assert any(place.startswith(f"web/src/words/{language}.json") for place in places)
    for name in ("chat/guards/problems.yaml", "tasks/messages.yaml", f"packs/tasks/answers/{language}.yaml"):
        assert any(place.startswith(f"src/sayso/{name}") for place in places), name


def test_the_documentation_is_read_in_its_folders_too():
    places = {text.place.partition(":")[0] for text in texts("en")}
    assert {"README.md", "docs/index.md", "docs/reference/settings.md"} <= places


def test_code_and_addresses_are_not_read_and_lines_stay():
    page = "A `wrnog` word\n```text\nwrnog\n```\nsee [here](wrnog.md)\n<!-- wrnog -->\nend"
    read = prose(page)
    assert "wrnog" not in read
    assert read.split("\n")[6] == "end"
