"""Texts of the quick-add field and what is read out of them: en.yaml and it.yaml hold the texts."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
import yaml

from sayso.decider import Decider
from sayso.quick_add import FIELDS, read_quick_add

HERE = Path(__file__).parent
TAGS = ("en", "it")
# The base loader leaves every date a text.
SHEETS = {tag: yaml.load((HERE / f"{tag}.yaml").read_text("utf-8"), yaml.BaseLoader) for tag in TAGS}  # noqa: S506
NOW = datetime.fromisoformat("2026-03-11T10:30+01:00")


@pytest.fixture(scope="module")
def decider():
    return Decider.installed()


def listed(key):
    cases = [(tag, case) for tag in TAGS for case in SHEETS[tag][key]]
    return pytest.mark.parametrize(("tag", "case"), cases, ids=[f"{tag}: {case['text']}" for tag, case in cases])


def read(decider, tag, case, **options):
    sheet = SHEETS[tag]
    return read_quick_add(
        decider, case["text"], datetime.fromisoformat(sheet["now"]), lang=tag, lists=sheet["lists"], **options
    )


def check(found, case):
    """Title, values and spans are as the case has them, and each value has the span that it was read from."""
    assert found.arguments == {"title": case["title"]} | case.get("fields", {})
    assert set(found.spans) == set(case.get("fields", {}))
    said = {name: case["text"][start:end] for name, (start, end) in found.spans.items()}
    assert {name: said[name] for name in case.get("spans", {})} == case.get("spans", {})


@listed("texts")
def test_a_text_is_read_as_a_new_task(decider, tag, case):
    check(read(decider, tag, case), case)


@listed("texts")
def test_keeping_all_fields_leaves_every_word_that_was_read_in_the_title(decider, tag, case):
    kept = read(decider, tag, case, keep=FIELDS)
    assert not kept.spans
    plain = read(decider, tag, case)
    for start, end in plain.spans.values():
        assert " ".join(case["text"][start:end].split()) in kept.title


@listed("keep")
def test_a_kept_value_is_back_in_the_title(decider, tag, case):
    keep = [one if isinstance(one, str) else (int(one[0]), int(one[1])) for one in case["keep"]]
    check(read(decider, tag, case, keep=keep), case)


@pytest.mark.parametrize(
    ("text", "lang"),
    [("comprare il latte domani", "it"), ("call mum tomorrow", "en"), ("chiamare la banca", "it")],
)
def test_the_language_is_found_without_a_hint(decider, text, lang):
    assert read_quick_add(decider, text, NOW).lang == lang


def test_a_date_of_the_other_language_is_read_where_the_text_has_its_words(decider):
    found = read_quick_add(decider, "comprare il latte dopodomani", NOW, lang="en")
    assert found.arguments == {"title": "comprare il latte", "due": "2026-03-13"}


def test_a_new_list_is_read_as_it_is_written(decider):
    found = read_quick_add(decider, "add tent to the Camping list", NOW, lang="en")
    assert found.arguments == {"title": "tent", "list": "Camping"}


@pytest.mark.parametrize(
    "text", ["a" * 5_000, "x " * 3_000, "tomorrow " * 400, "\u202e\x00\n\t", "(((((", '"', "🙂" * 500]
)
def test_any_text_has_a_title(decider, text):
    found = read_quick_add(decider, text, NOW)
    assert found.title or not text.split()
