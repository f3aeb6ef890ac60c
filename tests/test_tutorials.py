"""The tutorials, followed to the letter here; `python -m benchmarks tutorials` does it from an empty environment."""

from __future__ import annotations

import shutil

import pytest

from benchmarks.pages.follow import Astray, Terminal, steps
from sayso.chat import page

pytestmark = [pytest.mark.slow, pytest.mark.long]


@pytest.mark.parametrize("name", ["people", "developers", "operators"])
def test_a_tutorial_does_what_it_says(prove, name):
    if name == "people" and not page.FOLDER.exists():
        pytest.skip("the page is not built: make web")
    if name == "operators" and not shutil.which("psql"):
        pytest.skip("no psql")
    assert f"{name}: done in " in prove("tutorials", "--here", name)


def test_the_server_of_the_tutorial_is_the_one_among_the_examples(root):
    server = (root / "examples" / "notes_server.py").read_text("utf-8")
    assert f"```python\n{server}```\n" in (root / "docs" / "tutorials" / "developers.md").read_text("utf-8")


def test_a_page_that_goes_astray_is_noticed(tmp_path):
    terminal = Terminal(tmp_path, {"PATH": "/usr/bin:/bin", "TERM": "xterm"})
    try:
        (said,) = steps("```console\n$ echo one two; echo three\none …\nthree\n```\n")
        assert "three" in terminal.run(said)
        for body in ("$ echo one\ntwo", "$ false", "$ echo b; echo a\na\nb"):
            (wrong,) = steps(f"```console\n{body}\n```\n")
            with pytest.raises(Astray):
                terminal.run(wrong)
    finally:
        terminal.close()
