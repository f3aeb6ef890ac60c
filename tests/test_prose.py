"""The linter finds phrases that a reader has to translate, on pages and in messages, and leaves code alone."""

from __future__ import annotations

import pytest

from docsite.prose.check import FILE, findings, readable
from docsite.spelling.texts import LANGUAGES, ROOT, Text, prose

REJECTED = [
    ("en", "A call goes on as far as the\nwords bear it out.", {"goes on", "bear it out"}),
    ("en", "sayso.json stands before 1: notes.", {"stands before"}),
    ("en", "The body is no JSON.", {"is no J"}),
    ("en", "Saved. What nobody named is left out.", {"What nobody named is left out."}),
    ("it", "Quel sì non si poteva usare.", {"Quel sì"}),
]


@pytest.mark.parametrize(("language", "text", "phrases"), REJECTED)
def test_a_phrase_is_found(language, text, phrases):
    assert {one.phrase for one in findings(language, [Text("here", text)])} == phrases


@pytest.mark.parametrize("text", ["There is no task.", "What is due today?", "It is no longer there.", "your own pack"])
def test_plain_english_passes(text):
    assert not list(findings("en", [Text("here", text)]))


def test_a_finding_names_its_line_and_code_is_not_read():
    page = prose("first\n\n```text\nanew\n```\nsee `anew`\nanew\n")
    assert [one.place for one in findings("en", [Text("page.md", page)])] == ["page.md:7"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_messages_and_docstrings_are_read_and_have_no_findings(language):
    read = list(readable(language))
    assert any("web/src/words" in text.place for text in read)
    assert language != "en" or any(text.place.startswith("src/sayso/engine/") for text in read)
    assert not list(findings(language, read))


def test_files_that_are_not_checked_exist():
    listed = FILE.read_text("utf-8").partition("not_checked:\n")[2].splitlines()
    for line in listed:
        assert (ROOT / line.split()[1]).exists(), line
