"""The import directions hold, and a broken one is caught."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

LINT = Path(sys.executable).parent / "lint-imports"


def lint(root, package_parent):
    environment = os.environ | {"PYTHONPATH": str(package_parent)}
    command = [LINT, "--config", root / "pyproject.toml", "--no-cache", "--no-logo"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, cwd=root, check=False)
    return done.returncode, done.stdout


@pytest.fixture
def copy(root, tmp_path):
    shutil.copytree(root / "src" / "sayso", tmp_path / "sayso", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_the_contracts_hold(root):
    status, output = lint(root, root / "src")
    assert status == 0, output
    assert re.search(r"\d+ kept, 0 broken", output)


# In which module, the import that its contract forbids, and a part of the contract's name.
FORBIDDEN = [
    ("engine/pipeline.py", "import sayso.cli.main", "Imports point one way"),
    ("engine/pipeline.py", "import sayso.packs", "Imports point one way"),
    ("engine/pipeline.py", "import sayso.languages", "Imports point one way"),
    ("case.py", "import sayso.engine.pipeline", "Imports point one way"),
    ("packs/__init__.py", "import sayso.decider", "Imports point one way"),
    ("languages/__init__.py", "import sayso.packs", "Imports point one way"),
    ("decider.py", "import sayso.evals", "Imports point one way"),
    ("evals/score.py", "import sayso.cli.show", "Imports point one way"),
    ("evals/play.py", "import sayso.chat.turns.service", "Imports point one way"),
    ("tasks/service.py", "import sayso.cli.main", "Imports point one way"),
    ("tasks/service.py", "import sayso.evals.score", "Imports point one way"),
    ("database/pool.py", "import sayso.tasks.service", "Imports point one way"),
    ("identity/tokens.py", "import sayso.database.pool", "Imports point one way"),
    ("settings.py", "import sayso.identity.tokens", "Imports point one way"),
    ("decider.py", "import sayso.settings", "Imports point one way"),
    ("decider.py", "import sayso.quick_add", "Imports point one way"),
    ("quick_add.py", "import sayso.tasks.values", "Imports point one way"),
    ("agent/runner.py", "import sayso.tasks.service", "Imports point one way"),
    ("assistant/values.py", "import sayso.agent.claims", "Imports point one way"),
    ("tasks/service.py", "import sayso.chat.app", "Imports point one way"),
    ("ledger/turns.py", "import sayso.chat.turns.service", "Imports point one way"),
    ("tasks/service.py", "import typer", "The services know no door"),
    ("chat/routes/conversation.py", "import typer", "The services know no door"),
    ("agent/runner.py", "import rich", "The services know no door"),
    ("assistant/values.py", "import agents", "none of the packages of the services"),
    ("decider.py", "import openai", "none of the packages of the services"),
    ("decider.py", "import psycopg", "none of the packages of the services"),
    ("decider.py", "import fastapi", "none of the packages of the services"),
    ("assistant/converse.py", "import redis", "none of the packages of the services"),
    ("cli/services/serve.py", "import sayso.chat.serve", "none of the packages of the services"),
    ("cli/decisions/decide.py", "import sayso.tasks.service", "none of the packages of the services"),
    ("engine/pipeline.py", "import yaml", "no I/O"),
    ("engine/pipeline.py", "import socket", "no I/O"),
    ("engine/pipeline.py", "from os import path", "no I/O"),
    ("engine/pipeline.py", "import time", "no I/O"),
    ("engine/pipeline.py", "def f():\n    import rich.console", "no I/O"),
    ("decision.py", "import pathlib", "no I/O"),
    ("packs/__init__.py", "import typer", "know no door"),
    ("packs/load.py", "import sayso.packs.draft.guess", "A draft is read"),
    ("packs/draft/naming.py", "import sayso.packs.draft.write", "A draft is read"),
]


@pytest.mark.parametrize("contract", sorted({contract for *_, contract in FORBIDDEN}))
def test_a_contract_broken_on_purpose_is_caught(root, copy, contract):
    broken = [(module, line) for module, line, its in FORBIDDEN if its == contract]
    for module, line in broken:
        with (copy / "sayso" / module).open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")
    status, output = lint(root, copy)
    assert status != 0
    assert re.search(rf"{re.escape(contract)}.* BROKEN", output), output
    for module, line in broken:
        name = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        imported = re.search(r"(?:from|import) ([\w.]+)", line)[1]
        top = imported if imported.startswith("sayso") else imported.partition(".")[0]
        assert f"sayso.{name} -> {top} (l." in output, output


def test_a_new_package_must_find_its_place(root, copy):
    (copy / "sayso" / "attic.py").write_text("", encoding="utf-8")
    status, output = lint(root, copy)
    assert status != 0
    assert "attic" in output


# Loaded only where a program has them already: no dependency of ours.
_BESIDE = {"pydantic_ai", "pydantic_core"}


def test_what_is_imported_is_declared_and_does_not_come_by_way_of_others(root):
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *(one for extra in project["optional-dependencies"].values() for one in extra)]
    declared = {re.split(r"[\[<>=;]", one)[0].strip() for one in wanted} | {"psycopg-pool"}  # an extra of psycopg
    owners = {name: {each.casefold() for each in found} for name, found in packages_distributions().items()}
    undeclared = {}
    for file in (root / "src" / "sayso").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            named = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            named += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for top in {name.partition(".")[0] for name in named} - {"", "sayso", *sys.stdlib_module_names, *_BESIDE}:
                if not {owner.replace("_", "-") for owner in owners.get(top, ())} & declared:
                    undeclared[top] = file.name
    assert undeclared == {}
