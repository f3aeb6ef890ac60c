"""`python -m benchmarks`: every name runs a script that is there, and every script has a name."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from benchmarks.__main__ import RECIPES, files, lines

LINES = [line for recipe in RECIPES.values() for line in lines(recipe)]


def run(root, *words, **more):
    command = [sys.executable, "-m", "benchmarks", *words]
    return subprocess.run(command, cwd=root, env=os.environ | more, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.parametrize("line", LINES)
def test_a_recipe_runs_a_script_that_is_there_on_files_that_are_there(line, root, monkeypatch):
    monkeypatch.chdir(root)
    module, *words = line.split()
    assert module == "sayso.cli" or (root / "benchmarks" / f"{module.replace('.', '/')}.py").is_file()
    for word in words:
        assert "*" not in word or "$" in word or files(word), f"{line}: nothing at {word}"


def test_a_script_that_can_be_run_has_a_recipe_or_is_started_by_another(root):
    texts = {file: file.read_text("utf-8") for file in (root / "benchmarks").glob("*/*.py")}
    modules = {line.split()[0] for line in LINES}
    scripts = [file for file, text in texts.items() if "__main__" in text]
    assert len(scripts) > 50
    for file in scripts:
        module = f"{file.parent.name}.{file.stem}"
        start = re.compile(rf'"benchmarks\.{module}"|"{file.name}"')
        started = any(start.search(text) for other, text in texts.items() if other != file)
        assert module in modules or started, f"name {file.relative_to(root)} in benchmarks/recipes.toml"


def test_the_list_has_a_line_for_each(root):
    said = run(root).stdout
    for name, recipe in RECIPES.items():
        assert re.search(rf"^  {name} +{re.escape(recipe['about'])}$", said, re.MULTILINE)


def test_a_name_that_is_not_there_and_data_that_is_not_there_are_refused(root, tmp_path):
    assert run(root, "nonsense").returncode == 2
    refused = run(root, "promises", SAYSO_BENCH=str(tmp_path / "nowhere"))
    assert refused.returncode == 1
    assert "SAYSO_BENCH" in refused.stderr
    assert run(root, "sessions", SAYSO_BENCH=str(tmp_path)).stdout.startswith("nothing at $SAYSO_BENCH")


def test_options_go_to_the_script(root):
    said = run(root, "hostile", "--help")
    assert said.returncode == 0
    assert "--messages" in said.stdout
