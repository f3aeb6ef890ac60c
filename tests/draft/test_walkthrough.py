"""The example of docs/packs.md: the draft and the finished pack differ by a short edit.

Its commands are run with those of the other pages, in tests/test_docs.py.
"""

from __future__ import annotations

import difflib
import re

import pytest

from sayso.packs.draft.catalogue import read_catalogue
from sayso.packs.draft.guess import guess
from sayso.packs.draft.write import write
from sayso.packs.load import check_pack


@pytest.fixture
def page(root):
    return (root / "docs" / "packs.md").read_text("utf-8")


def edit(root):
    """The lines between the draft and what lies in the examples."""
    folder = root / "examples" / "bikes"
    draft = write(guess(read_catalogue((folder / "tools.json").read_bytes(), "tools.json")), "bikes")
    for file, text in draft.files.items():
        edited = (folder / file).read_text("utf-8").splitlines()
        yield from difflib.unified_diff(text.splitlines(), edited, f"draft/{file}", f"bikes/{file}", n=0, lineterm="")


def test_the_edit_has_under_forty_lines(root, page):
    changed = [line for line in edit(root) if re.match(r"[+-](?![+-]{2} )", line)]
    assert 0 < len(changed) < 40
    assert f"An edit of {len(changed)} lines" in page


def test_the_server_has_five_tools_and_a_conversation_with_two_calls_and_a_question_is_shown(root, page):
    assert len(read_catalogue((root / "examples" / "bikes" / "tools.json").read_bytes(), "tools.json")) == 5
    shown = page.partition("sayso chat --pack examples/bikes")[2].partition("```")[0]
    assert re.findall(r"^→ (\w+)", shown, re.MULTILINE) == ["rent_bike", "report_damage"]
    assert "\nyes or no?\n" in shown


def test_the_example_is_a_pack(root):
    assert check_pack(root / "examples" / "bikes") == []
