"""The site is built strictly: what leads nowhere, stands nowhere or comes from elsewhere stops it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from docsite.hooks.lists import on_page_markdown

ROOT = Path(__file__).parent.parent
MKDOCS = ROOT / ".venv-site" / "bin" / "mkdocs"
LEFT_OUT = shutil.ignore_patterns(".*", "node_modules", "tests", "__pycache__", "site", "dist", "*.jsonl")
needs_site = pytest.mark.skipif(not MKDOCS.exists(), reason="no site was built here: make site")


@pytest.fixture
def checkout(tmp_path):
    """The project, to be spoiled."""
    return Path(shutil.copytree(ROOT, tmp_path / "sayso", ignore=LEFT_OUT))


def build(folder):
    command = [MKDOCS, "build", "--strict"]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)


@needs_site
def test_what_leads_nowhere_or_stands_nowhere_stops_the_build(checkout):
    with (checkout / "docs" / "chat.md").open("a") as page:
        page.write("\n[a](nowhere.md) [b](http.md#nowhere) [c](/absolute.md) [d](../nowhere.py)\n")
    (checkout / "docs" / "orphan.md").write_text("# In no part of the navigation\n")
    done = build(checkout)
    assert done.returncode != 0
    for said in ("'nowhere.md'", "'#nowhere'", "'/absolute.md'", "'../nowhere.py'", "orphan.md"):
        assert said in done.stderr, done.stderr


@needs_site
def test_what_would_come_from_elsewhere_stops_the_build(checkout):
    with (checkout / "docs" / "chat.md").open("a") as page:
        page.write('\n<img src="https://pictures.example.org/one.png" alt="one">\n')
    done = build(checkout)
    assert done.returncode != 0
    assert "https://pictures.example.org/one.png" in done.stderr, done.stderr


def test_what_belongs_to_an_item_is_set_in_by_four_and_nothing_else_moves():
    lies = ["1. one", "   more", "", "   ```console", "   $ x", "   ```", "2. two", "- a", "  b", "end", "  kept"]
    shown = [
        "1. one",
        "    more",
        "",
        "    ```console",
        "    $ x",
        "    ```",
        "2. two",
        "- a",
        "    b",
        "end",
        "  kept",
    ]
    fence = ["```text", "- no item", "  kept", "```"]
    assert on_page_markdown("\n".join(lies + fence)).split("\n") == shown + fence
