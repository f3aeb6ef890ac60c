"""With the tasks and the devices packs in one conversation, is either worse than alone?

    python -m benchmarks both-packs

Every case of the decision benchmark is decided by its own pack alone; and by both, with its own things and those of
another case of the other pack, drawn several times. Printed are, by file and pack, the accuracy and the wrong writes of
either; a figure that is worse by more than half a point fails.

Words that are labelled as none of their pack's business may be the other's: "remind me to call the plumber", asked of
the devices. Where the other pack takes them on, the label says nothing of the two together: they are listed, left out
of the figures, and fail where they are more than half a percent. So do answers that name other tools than their own
pack alone would, where they are more than one percent.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path

import msgspec

from sayso.assistant.converse import Assistant
from sayso.assistant.several import Several
from sayso.decider import Decider
from sayso.decision import Answer
from sayso.evals.dataset import Labelled, load
from sayso.evals.facts import facts_of_all
from sayso.evals.score import Report, Verdict, judge, report
from sayso.packs.answers import load_answers
from sayso.packs.load import pack_folder

PACKS = ("tasks", "devices")
COLUMNS = "{:<18} {:<8} {:>6} {:>9} {:>9} {:>9} {:>9}"


def tools_of(answer: Answer) -> set[str]:
    return {tool for each in answer.decisions if (tool := getattr(each, "tool", None))}


def is_others(one: Labelled, answer: Answer, others: Collection[str]) -> bool:
    """Whether the other pack takes on what its own has nothing to do with."""
    is_none = all(pattern["kind"] == "none" for outcome in one.expect for pattern in outcome)
    return is_none and bool(tools_of(answer) & {*others})


def is_worse(alone: Report, both: Report, most: float) -> bool:
    """Whether a figure is worse by more than this."""
    return alone.accuracy - both.accuracy > most or both.wrong_write_rate - alone.wrong_write_rate > most


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--most", type=float, default=0.01, help="fail where more than this share goes wrong")
    parser.add_argument("--apart", type=float, default=0.005, help="fail where more than this share is the other's")
    parser.add_argument("--drop", type=float, default=0.005, help="fail where a figure is worse by more than this")
    options = parser.parse_args()
    decider = Decider.installed()
    single = {name: Assistant(decider, load_answers(pack_folder(name)), pack=name) for name in PACKS}
    both = Several(*single.values())
    facts = facts_of_all(decider.pack(name).pack for name in PACKS)
    cases = [one for one in load(options.files) if one.case.pack in PACKS]
    things = {name: [one.case.entities for one in cases if one.case.pack == name] for name in PACKS}
    chance, tried, wrong, apart = random.Random(1), 0, [], 0
    verdicts: dict[tuple[str, str], tuple[list[Verdict], list[Verdict]]] = defaultdict(lambda: ([], []))
    for one in cases:
        own, other = one.case.pack, PACKS[1 - PACKS.index(one.case.pack)]
        alone = single[own].decide(one.case)
        kept = verdicts[one.group, own]
        kept[0].append(judge(one, alone, facts))
        for _ in range(options.draws):
            entities = (*one.case.entities, *chance.choice(things[other]))
            answer = both.decide(msgspec.structs.replace(one.case, entities=entities))
            tried += 1
            if is_others(one, answer, single[other].tools):
                apart += 1
                kept[1].append(kept[0][-1])
            else:
                kept[1].append(judge(one, answer, facts))
            if tools_of(answer) != tools_of(alone):
                named = f"{sorted(tools_of(answer))}, not {sorted(tools_of(alone))}"
                wrong.append(f"{own}: {one.case.message!r}: {named}")
    for each in sorted(set(wrong)):
        print(f"  {wrong.count(each)} × {each}")
    print(COLUMNS.format("file", "pack", "cases", "accuracy", "both", "wrong", "both"))
    failed = False
    for (file, pack), (one_pack, two_packs) in sorted(verdicts.items()):
        first, second = report(one_pack), report(two_packs)
        bad = is_worse(first, second, options.drop)
        failed |= bad
        figures = (first.accuracy, second.accuracy, first.wrong_write_rate, second.wrong_write_rate)
        row = COLUMNS.format(file, pack, len(one_pack), *(f"{figure:.2%}" for figure in figures))
        print(f"{row}{'  worse by more than allowed' if bad else ''}")
    print(f"{tried:,} cases with both packs: {len(wrong)} with other tools, {len(wrong) / tried:.2%}; ", end="")
    print(f"{apart} of them none of their own pack's business, and the other's by its own word")
    return int(failed or len(wrong) > options.most * tried or apart > options.apart * tried)


if __name__ == "__main__":
    sys.exit(main())
