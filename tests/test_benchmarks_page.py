"""The page of the benchmarks says what its figures say; nothing is measured here."""

from __future__ import annotations

import json
import subprocess
import sys

import msgspec

from benchmarks.harness.figures import Run
from benchmarks.peers.compare import renewed

SCRIPT = """
import sys
from benchmarks.harness.figures import Run, write
from benchmarks.peers.page import PAGE, page, pictures
from pathlib import Path
file = Path("benchmarks/results/latest.json")
run = Run.read(file)
again = Path(sys.argv[1]) / "again.json"
write(run, again)
assert again.read_bytes() == file.read_bytes(), "the figures are not as they are written"
assert PAGE.read_text("utf-8") == page(run), "python -m benchmarks peers-page"
for name, picture in pictures(run).items():
    assert (PAGE.parent / PAGE.stem / name).read_text("utf-8") == picture, name
print(len(run.parts), "parts")
"""


def test_the_page_and_the_plots_are_those_of_the_figures(root, tmp_path):
    # in a process of its own, so that the scripts' names are nobody's modules here
    environment = {"PYTHONPATH": f"{root / 'src'}:{root}", "PATH": ""}
    command = [sys.executable, "-c", SCRIPT, str(tmp_path)]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert "parts" in done.stdout


def test_everything_stands_beside_what_it_is_compared_with(root):
    run = json.loads((root / "benchmarks" / "results" / "latest.json").read_text("utf-8"))
    assert "decision" in [part["name"] for part in run["parts"]]
    for part in run["parts"]:
        assert part["rounds"] >= 3
        assert len(part["rows"]) > 1
        against = [row["ratio"]["median"] for row in part["rows"] if row["name"] == part["against"]]
        assert set(against) == {1.0}
        assert all(row["ratio"]["low"] <= row["ratio"]["median"] <= row["ratio"]["high"] for row in part["rows"])


def test_a_part_that_is_measured_again_says_when_and_the_others_keep_their_date(root):
    before = Run.read(root / "benchmarks" / "results" / "latest.json")
    again = next(part for part in before.parts if part.name == "turns")
    again = msgspec.structs.replace(again, rounds=3, note="Few rounds.")
    now = msgspec.structs.replace(before, date="2030-01-02 03:04 UTC", load_before=[1.5], load_after=[2], parts=[again])
    run = renewed(before, now)
    assert (run.date, run.load_before) == (before.date, before.load_before)
    parts = {part.name: part for part in run.parts}
    when = "Measured 2030-01-02 03:04 UTC, load 1.5 to 2."
    assert parts.pop("turns").note == f"Few rounds. {when}"
    assert all(part in before.parts for part in parts.values())
