"""What several tests need: where things are, and the benchmark's cases."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROUNDS = sorted((ROOT / "benchmarks" / "decisions").glob("*.jsonl"))
# The decision benchmark is kept beside the project, with its own scorer.
BENCH_HOME = Path(os.environ.get("SAYSO_BENCH", ROOT.parent / "shared" / "bench"))
BENCH = sorted(BENCH_HOME.glob("*.jsonl")) + ROUNDS


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def scorer_file():
    """The benchmark's own scorer."""
    file = BENCH_HOME / "score.py"
    if not file.exists():
        pytest.skip("the decision benchmark is not here; name its folder in SAYSO_BENCH")
    return file


@pytest.fixture(scope="session")
def bench_files():
    return BENCH


@pytest.fixture(scope="session")
def bench_lines():
    """The benchmark's lines as JSON, with expectations and tags."""
    return [json.loads(line) for file in BENCH for line in file.read_text("utf-8").split("\n") if line]
