"""A toolset of Pydantic AI behind a guard, in an environment of its own: it is no dependency of ours."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from benchmarks.harness.services import peer_python

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


@pytest.fixture(scope="module")
def came():
    try:
        python = peer_python("pydantic-ai")
    except subprocess.CalledProcessError:
        pytest.skip("Pydantic AI cannot be installed here")
    command = [python, HERE / "pydantic_ai_inside.py", ROOT / "examples" / "guarded_pydantic_ai.py"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_yes_runs_it(came):
    assert came[0]["output"] == "deleted Buy milk"
    assert came[0]["notes"] == ["Call the bank"]
    assert len(came[0]["asked"]) == 1


def test_a_no_does_not_and_the_model_is_told(came):
    assert "declined" in came[1]["output"]
    assert came[1]["notes"] == ["Buy milk", "Call the bank"]


def test_a_read_asks_nothing(came):
    assert came[2]["asked"] == []
    assert "Call the bank" in came[2]["output"]
