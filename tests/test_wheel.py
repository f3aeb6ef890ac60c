"""The wheel, installed alone into an empty environment, has all it needs and little else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from zipfile import ZipFile

import pytest

pytestmark = pytest.mark.slow

MOST_PACKAGES = 16


@pytest.fixture(scope="module")
def wheel(root, tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, root]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = folder.glob("sayso-*.whl")
    return built


@pytest.fixture(scope="module")
def installed(root, wheel, tmp_path_factory):
    """An environment with the wheel and its locked dependencies only; the folder of its commands."""
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder, with_pip=True)
    pip = [folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "--require-hashes", "-r", root / "requirements" / "core.txt"], check=True)
    subprocess.run([*pip, "--no-deps", wheel], check=True)
    return folder / "bin"


def run(command, folder):
    """Run where no checkout is in sight."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=True
    ).stdout


def test_the_wheel_holds_the_data_and_nothing_else(wheel):
    names = ZipFile(wheel).namelist()
    for needed in ("py.typed", "schemas/case.schema.json", "packs/tasks/pack.yaml", "packs/tasks/en.table.json"):
        assert f"sayso/{needed}" in names
    for needed in (
        "packs/tasks/en/add.yaml",
        "packs/tasks/en.json",
        "languages/en/words.json",
        "languages/classes.json",
    ):
        assert f"sayso/{needed}" in names
    for needed in ("tasks/tools.yaml", "tasks/sql/task_add.sql", "database/migrations/versions/0001_tasks.sql"):
        assert f"sayso/{needed}" in names
    assert any(name.startswith("sayso/languages/") and name.endswith(".yaml") for name in names)
    for needed in ("LICENSE", "NOTICE", "THIRD-PARTY.md"):
        assert any(name.endswith(f"licenses/{needed}") for name in names)
    assert {name.split("/")[0] for name in names} == {"sayso", "sayso-0.1.0.dist-info"}


def test_the_core_install_is_small(installed, tmp_path):
    listed = json.loads(run([installed / "python", "-m", "pip", "list", "--format", "json"], tmp_path))
    packages = {package["name"] for package in listed} - {"pip", "setuptools"}  # these two come with the environment
    assert "sayso" in packages
    assert len(packages) <= MOST_PACKAGES, packages


def test_the_installed_command_decides(installed, tmp_path):
    answer = json.loads(run([installed / "sayso", "decide", "add a task to buy groceries", "--json"], tmp_path))
    (decision,) = answer["decisions"]
    assert decision["kind"] == "call"
    assert decision["tool"] == "add_task"
    assert decision["arguments"]["title"] == "buy groceries"


def test_the_installed_command_talks(installed, tmp_path):
    done = subprocess.run(
        [installed / "sayso", "chat", "--memory"],
        input="add a task to buy milk\naggiungi un'attività: comprare il pane\n",
        cwd=tmp_path,
        env={key: value for key, value in os.environ.items() if not key.startswith("PYTHON")},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.splitlines() == [
        'I\'ve added "buy milk" to your list.',
        'Ho aggiunto "comprare il pane" alla lista.',
    ]


@pytest.mark.parametrize("command", [["db", "check"], ["mcp", "tasks"], ["token", "--user", "ada"]])
def test_a_command_for_services_says_what_to_install(installed, tmp_path, command):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(
        [installed / "sayso", *command],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 2
    assert "pip install 'sayso[server]'" in done.stderr


def test_the_installed_command_says_its_version(installed, tmp_path):
    assert run([installed / "sayso", "--version"], tmp_path).strip() == "sayso 0.1.0"
