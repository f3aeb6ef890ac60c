"""What each rule of the engine is worth on all that is labelled: cases, conversations and the packs' own sentences.

`sayso eval --ablate` measures cases or conversations. A rule may be worth nothing there and still guard a sentence of
the pack's tests, so this measures all three together. A rule that is idle here may be deleted, after the tests.

    python -m benchmarks rules --json worth.json
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks import ROOT
from sayso.assistant.converse import Assistant
from sayso.cli.measure import ablate
from sayso.decider import Decider
from sayso.engine.grammar.pack import Pack
from sayso.evals.ablation import Outcome, Trial, trials_of_cases, trials_of_sessions
from sayso.evals.dataset import files_in, load
from sayso.evals.facts import facts_of_all
from sayso.evals.sessions import load_sessions
from sayso.files.datafile import read
from sayso.packs.answers import load_answers
from sayso.packs.load import installed_packs, pack_folder


def trials() -> list[Trial]:
    """A trial for each sentence, case and conversation, with freshly loaded packs."""
    decider = Decider.installed()
    tools = facts_of_all([read(pack_folder(name) / "pack.yaml", Pack) for name in installed_packs()])
    cases = load(files_in(ROOT / "benchmarks" / "decisions"))
    sessions = load_sessions(files_in(ROOT / "benchmarks" / "sessions"))
    assistant = Assistant(decider, load_answers(pack_folder("tasks")))
    return [
        *trials_of_sentences(),
        *trials_of_cases(cases, decider.decide, tools),
        *trials_of_sessions(sessions, assistant),
    ]


def trials_of_sentences() -> list[Trial]:
    """A trial for each sentence of tests/packs, which the rules alone decide."""
    tested: Any = import_module("tests.packs.test_sentences")  # it loads the packs

    def trial(file: Path, tool: str, sentence: Mapping[str, Any]) -> Trial:
        def tried() -> Outcome:
            found, expected = tested.outcomes(file, tool, sentence)
            return Outcome(int(found == expected), int(found != expected and any(kind == "call" for kind, *_ in found)))

        return tried

    return [trial(*one.values) for one in tested.listed("sentences")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the result as JSON")
    ablate.run(trials, parser.parse_args().json)


if __name__ == "__main__":
    main()
