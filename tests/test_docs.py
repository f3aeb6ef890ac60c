"""Every command and every example of the documentation is run.

A fence marked `console` holds commands after `$ `, each perhaps with what it prints: those lines must come out, in
order; `…` on a line of its own stands for any lines. A fence marked `python` is executed. A fence after a comment
`<!-- not run: REASON -->` is left out, with its reason.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from sayso.engine import pack
from sayso.settings import Settings

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(
    r"(?:<!-- not run: (?P<reason>[^\n]+?) -->\n)?^```(?P<kind>console|python)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


class Example(NamedTuple):
    """A fence of a page."""

    place: str
    kind: str
    body: str
    reason: str | None


def examples(page):
    text = page.read_text("utf-8")
    for found in FENCE.finditer(text):
        line = text.count("\n", 0, found.start("kind")) + 1
        yield Example(f"{page.relative_to(ROOT)}:{line}", found["kind"], found["body"], found["reason"])


def commands(body):
    """The commands of a console fence, each with the lines that it should print."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        while command.endswith("\\"):
            more, _, output = output.partition("\n")
            command = f"{command[:-1]}{more}"
        yield command, [line.rstrip() for line in output.split("\n") if line.strip() not in ("", "…")]


def environment_of(example, request):
    """The variables that the reader of a page has set by then; the task service's page tells of a database."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "100"}
    if not example.place.startswith("docs/tasks.md"):
        return environment
    empty = "sayso db migrate" in example.body
    return environment | {
        "SAYSO_DATABASE_URL": request.getfixturevalue("make_database")() if empty else request.getfixturevalue("url"),
        "SAYSO_ENV": "development",
        "SAYSO_STATE_KEYS": "0123456789abcdef0123456789abcdef",
        "SAYSO_STDIO_USER": "ada",
    }


EXAMPLES = [example for page in PAGES for example in examples(page)]
RUN = [example for example in EXAMPLES if not example.reason]


@pytest.mark.parametrize("example", [e for e in RUN if e.kind == "console"], ids=lambda example: example.place)
def test_a_command_of_the_documentation_does_what_it_says(example, request):
    environment = environment_of(example, request)
    found = list(commands(example.body))
    assert found, f"{example.place}: no command after `$ `"
    for command, expected in found:
        done = subprocess.run(
            ["bash", "-c", command], cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False
        )
        assert done.returncode == 0, f"{example.place}: {command}\n{done.stdout}{done.stderr}"
        printed = iter(line.rstrip() for line in done.stdout.split("\n"))
        for line in expected:
            assert line in printed, f"{example.place}: {command} does not print: {line}\n{done.stdout}"


@pytest.mark.parametrize("example", [e for e in RUN if e.kind == "python"], ids=lambda example: example.place)
def test_an_example_of_the_documentation_runs(example, request):
    done = subprocess.run(
        [sys.executable, "-c", example.body],
        cwd=ROOT,
        env=environment_of(example, request),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, f"{example.place}\n{done.stderr}"


def test_the_readme_and_the_guide_have_examples():
    assert {example.place.partition(":")[0] for example in RUN} >= {"README.md", "CONTRIBUTING.md"}


def test_every_link_to_a_file_leads_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_recipe_that_is_named_exists():
    recipes = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for page in PAGES:
        for name in re.findall(r"`make ([a-z-]+)`", page.read_text("utf-8")):
            assert name in recipes, f"{page.name}: make {name}"


def test_every_setting_is_explained():
    page = (ROOT / "docs" / "tasks.md").read_text("utf-8")
    for name in Settings.model_fields:
        assert f"| `SAYSO_{name.upper()}` |" in page, f"docs/tasks.md says nothing of SAYSO_{name.upper()}"


def test_every_key_of_a_pack_is_explained():
    page = (ROOT / "docs" / "packs.md").read_text("utf-8")
    for shape in (pack.Pack, pack.EntityKind, pack.Tool, pack.Param, pack.Slot, pack.Act, pack.Phrasebook, pack.Say):
        for key in shape.__struct_fields__:
            assert f"`{key}`" in page, f"docs/packs.md says nothing of `{key}` ({shape.__name__})"
