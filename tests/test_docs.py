"""Every command and every example of the documentation is run.

A fence marked `console` holds commands after `$ `, each perhaps with what it prints: those lines must come out, in
order; `…` on a line of its own stands for any lines, within a line for anything. A fence marked `python` is executed. A
fence after a comment `<!-- not run: REASON -->` is left out, with its reason.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple
from uuid import uuid4

import httpx2
import pytest

from benchmarks.__main__ import RECIPES
from benchmarks.pages.follow import commands, missing
from sayso.database.migrate import migrate
from sayso.engine.grammar import pack
from sayso.gateway import config
from sayso.identity.development import issue
from sayso.settings import Settings

ROOT = Path(__file__).parent.parent
DEVICES = "docs/devices.md:"  # one story, told over a broker
CHANGES = ("docs/packs.md:", "CONTRIBUTING.md:")  # stories that change the checkout
MOSQUITTO = Path(shutil.which("mosquitto") or "/usr/sbin/mosquitto")
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(
    r"(?:^ *<!-- not run: (?P<reason>[^\n]+?) -->\n)?"
    r"^(?P<indent> *)```(?P<kind>console|python)\n(?P<body>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)


RUNNABLE = ("console", "python")
# What is shown and not run. A shell's commands are `console`, whatever they do.
SHOWN = ("", "text", "json", "yaml", "toml", "diff", "mermaid", "sql", "ini", "nginx", "dockerfile", "http", "csv")


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
        yield Example(f"{page.relative_to(ROOT)}:{line}", found["kind"], dedent(found["body"]), found["reason"])


def environment_of(example, request):
    """The variables that the reader of a page has set by then; the services' pages tell of a database and a server."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "100"}
    if example.place.startswith(("docs/http.md", "docs/model.md")):
        return environment | request.getfixturevalue("talking")
    if example.place.startswith(DEVICES):
        return environment | request.getfixturevalue("connected")
    if not example.place.startswith("docs/tasks.md"):
        return environment
    empty = "sayso db migrate" in example.body
    return environment | {
        "SAYSO_DATABASE_URL": request.getfixturevalue("make_database")() if empty else request.getfixturevalue("url"),
        "SAYSO_ENV": "development",
        "SAYSO_STATE_KEYS": "0123456789abcdef0123456789abcdef",
        "SAYSO_STDIO_USER": "ada",
    }


@pytest.fixture(scope="module")
def talking(url):
    """A chat service, somebody's token and their conversation, as the page of the chat service names them."""
    if shutil.which("jq") is None:
        pytest.skip("no jq")
    ours = {"SAYSO_DATABASE_URL": url, "SAYSO_ENV": "development", "SAYSO_STATE_KEYS": "0123456789abcdef" * 2}
    environment = os.environ | ours | {"PYTHONPATH": str(ROOT / "src")}
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    server = subprocess.Popen([sys.executable, "-m", "sayso.cli", "serve", "--port", str(port)], env=environment)
    token = issue(Settings(env="development", state_keys=("0123456789abcdef" * 2,)), f"ada {uuid4()}")
    headers = {"Authorization": f"Bearer {token}"}
    with httpx2.Client(
        timeout=60, base_url=address, headers=headers, transport=httpx2.HTTPTransport(retries=10)
    ) as client:
        conversation = client.post("/v1/conversations", timeout=60).json()["id"]
    yield ours | {"SAYSO": address, "TOKEN": token, "CONVERSATION": conversation}
    server.terminate()
    server.wait(40)


@pytest.fixture(scope="module")
def connected(make_database):
    """A database and a broker of their own, as the page of the devices names them."""
    if not MOSQUITTO.exists():
        pytest.skip("no Mosquitto")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    made = make_database()
    migrate(made)
    broker = subprocess.Popen([MOSQUITTO, "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    yield {
        "SAYSO_DATABASE_URL": made,
        "SAYSO_MQTT_URL": f"mqtt://127.0.0.1:{port}",
        "SAYSO_ENV": "development",
        "SAYSO_STATE_KEYS": "0123456789abcdef0123456789abcdef",
        "SAYSO_STDIO_USER": "ada",
    }
    broker.terminate()
    broker.wait(20)


EXAMPLES = [example for page in PAGES for example in examples(page)]
# Stories of their own: tests/test_tutorials.py follows those from an empty folder, one has a checkout of its own.
STORIES = ("docs/tutorials/", "docs/gateway.md:", *CHANGES)
FLEET = [example for example in EXAMPLES if example.place.startswith(DEVICES) and not example.reason]
RUN = [
    example
    for example in EXAMPLES
    if not example.reason and example not in FLEET and not example.place.startswith(STORIES)
]


@pytest.mark.parametrize("example", [e for e in RUN if e.kind == "console"], ids=lambda example: example.place)
def test_a_command_of_the_documentation_does_what_it_says(example, request):
    run_commands(example, environment_of(example, request), ROOT)


def run_commands(example, environment, folder):
    found = list(commands(example.body))
    assert found, f"{example.place}: no command after `$ `"
    for command, expected in found:
        done = subprocess.run(
            ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
        )
        assert done.returncode == 0, f"{example.place}: {command}\n{done.stdout}{done.stderr}"
        missed = missing(expected, done.stdout)
        assert missed is None, f"{example.place}: {command} does not print: {missed}\n{done.stdout}"


@pytest.mark.parametrize("example", [e for e in RUN if e.kind == "python"], ids=lambda example: example.place)
def test_an_example_of_the_documentation_runs(example, request):
    run_python(example, environment_of(example, request), ROOT)


def run_python(example, environment, folder):
    done = subprocess.run(
        [sys.executable, "-c", example.body],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, f"{example.place}\n{done.stderr}"


@pytest.mark.long
def test_a_fleet_and_a_small_home_from_an_empty_database(request):
    assert [example.kind for example in FLEET] == ["console", "console", "python", "console"]
    for example in FLEET:
        run = run_commands if example.kind == "console" else run_python
        run(example, environment_of(example, request), ROOT)


@pytest.mark.parametrize("page", CHANGES)
def test_a_change_to_the_checkout_is_made_as_the_page_says(page, tmp_path, request):
    for name in ("src", "examples", "tests/packs", "benchmarks/decisions"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "page"))
    (tmp_path / "benchmarks" / "pages").mkdir()
    runner = ("benchmarks/__init__.py", "benchmarks/__main__.py", "benchmarks/recipes.toml")
    for name in ("Makefile", "pyproject.toml", "tests/conftest.py", "benchmarks/pages/follow.py", *runner):
        shutil.copy(ROOT / name, tmp_path / name)
    told = [example for example in EXAMPLES if example.place.startswith(page) and not example.reason]
    assert len(told) >= 3
    for example in told:
        environment = environment_of(example, request) | {"PYTHONPATH": str(tmp_path / "src")}
        run_commands(example, environment, tmp_path)


def test_the_readme_has_examples():
    assert {example.place.partition(":")[0] for example in RUN} >= {"README.md"}


def test_nothing_that_could_be_run_escapes():
    """A fence under another name would not be found: there is none. Every fence that can be run is found."""
    for page in PAGES:
        text = page.read_text("utf-8")
        kinds = re.findall(r"^ *`{3,}(.*)$", text, re.MULTILINE)
        assert kinds[1::2] == [""] * (len(kinds) // 2), f"{page.name}: a fence that does not end"
        saved = {"sh"} if page.parent.name == "tutorials" else set()  # a file of theirs, which they use
        assert set(kinds) <= {*RUNNABLE, *SHOWN, *saved}, f"{page.relative_to(ROOT)}: {set(kinds)}"
        assert len(list(examples(page))) == sum(kind in RUNNABLE for kind in kinds), page.relative_to(ROOT)


def test_every_link_to_a_file_leads_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_recipe_that_is_named_exists():
    recipes = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for page in PAGES:
        for name in re.findall(r"`make ([a-z-]+)`", page.read_text("utf-8")):
            assert name in recipes, f"{page.name}: make {name}"
        for name in re.findall(r"python -m benchmarks ([a-z-]+)", page.read_text("utf-8")):
            assert name in RECIPES, f"{page.name}: python -m benchmarks {name}"


def test_every_test_that_is_named_exists():
    for page in PAGES:
        for name in re.findall(r"`((?:web/)?tests/[\w/.-]+)`", page.read_text("utf-8")):
            assert (ROOT / name).exists(), f"{page.name}: {name}"


def test_every_setting_is_explained():
    pages = "".join(page.read_text("utf-8") for page in PAGES)
    for name in Settings.model_fields:
        assert f"|`SAYSO_{name.upper()}`|" in pages, f"no page says anything of SAYSO_{name.upper()}"


def test_every_key_of_a_pack_is_explained():
    page = (ROOT / "docs" / "packs.md").read_text("utf-8")
    for shape in (pack.Pack, pack.EntityKind, pack.Tool, pack.Param, pack.Slot, pack.Act, pack.Phrasebook, pack.Say):
        for key in shape.__struct_fields__:
            assert f"`{key}`" in page, f"docs/packs.md does not explain `{key}` ({shape.__name__})"


def test_every_key_of_the_gateways_file_is_explained():
    page = (ROOT / "docs" / "reference" / "gateway.md").read_text("utf-8")
    shapes = (
        config.Upstream,
        config.ServerSettings,
        config.ToolSettings,
        config.EntitySettings,
        config.GatewaySettings,
    )
    for shape in shapes:
        for key in shape.__struct_fields__:
            assert f"`{key}`" in page, f"docs/reference/gateway.md does not explain `{key}` ({shape.__name__})"


UNLISTED = {".", "engine", "database/migrations", "database/migrations/versions"}


def test_every_package_has_its_place_on_the_page_of_packages() -> None:
    named = set(re.findall(r"`([\w/]+)`", (ROOT / "docs/modules.md").read_text()))
    folders = {path.parent.relative_to(ROOT / "src/sayso").as_posix() for path in (ROOT / "src/sayso").glob("**/*.py")}
    rooms = {folder.removeprefix("engine/") for folder in folders}
    assert rooms - named - UNLISTED == set()
