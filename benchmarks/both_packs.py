"""With the tasks and the devices packs in one conversation, how often do words go to the wrong one?

    make both-packs

Every case of the decision benchmark is decided with its own things and, beside them, those of another case of the other
pack, drawn several times. Counted as wrong is every answer that names other tools than its own pack alone would; so is
one where the words do mean the other pack ("add a task to ring the engineer", asked of the devices). All are listed.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path

import msgspec

from sayso.assistant.converse import Assistant
from sayso.assistant.several import Several
from sayso.case import case_from_object
from sayso.decider import Decider
from sayso.decision import Answer
from sayso.packs.answers import load_answers
from sayso.packs.load import pack_folder

PACKS = ("tasks", "devices")


def tools_of(answer: Answer) -> set[str]:
    return {tool for each in answer.decisions if (tool := getattr(each, "tool", None))}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--most", type=float, default=0.01, help="fail where more than this share goes wrong")
    options = parser.parse_args()
    decider = Decider.installed()
    single = {name: Assistant(decider, load_answers(pack_folder(name)), pack=name) for name in PACKS}
    both = Several(*single.values())
    lines = [json.loads(line) for file in options.files for line in file.read_text("utf-8").splitlines() if line]
    lines = [line for line in lines if line.get("pack", "tasks") in PACKS and not line.get("proposed")]
    things = {name: [line["entities"] for line in lines if line.get("pack", "tasks") == name] for name in PACKS}
    chance, tried, wrong = random.Random(1), 0, []
    for line in lines:
        own = line.get("pack", "tasks")
        other = PACKS[1 - PACKS.index(own)]
        case = case_from_object({key: value for key, value in line.items() if key not in ("expect", "tags")})
        alone = single[own].decide(case)
        for _ in range(options.draws):
            foreign = case_from_object({**line, "entities": chance.choice(things[other])}).entities
            answer = both.decide(msgspec.structs.replace(case, entities=(*case.entities, *foreign)))
            tried += 1
            if tools_of(answer) & set(single[other].tools) or tools_of(answer) != tools_of(alone):
                wrong.append(f"{own}: {line['message']!r}: {sorted(tools_of(answer))}, not {sorted(tools_of(alone))}")
    for each in sorted(set(wrong)):
        print(f"  {wrong.count(each)} × {each}")
    print(f"{tried:,} cases with both packs: {len(wrong)} in the wrong one, {len(wrong) / tried:.2%}")
    return int(len(wrong) > options.most * tried)


if __name__ == "__main__":
    sys.exit(main())
