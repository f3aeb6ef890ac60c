"""`sayso eval` judges exactly as the benchmark's own scorer does."""

from __future__ import annotations

import copy
import json
import random
import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location

import pytest
from typer.testing import CliRunner

from sayso.case import to_json
from sayso.cli.main import app
from sayso.decider import Decider
from sayso.decision import Answer, Call, Nothing
from sayso.engine.grammar.pack import Pack
from sayso.errors import MalformedCase, SaysoError
from sayso.evals.compare import as_expected
from sayso.evals.dataset import Labelled, load, read_bytes
from sayso.evals.facts import ToolFacts, facts_of
from sayso.evals.score import expected_calibration_error, judge, judge_all, report
from sayso.files.datafile import read
from sayso.packs.load import pack_folder


@pytest.fixture(scope="module")
def scorer(scorer_file):
    """The benchmark's score.py as a module."""
    spec = spec_from_file_location("score", scorer_file)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tools(scorer):
    """The facts that score.py keeps in tables, as we take them from packs."""
    return {
        name: ToolFacts(
            defaults=defaults,
            reads=name in scorer.READS,
            destructive=name in scorer.DESTRUCTIVE,
            free=frozenset(scorer.FREE),
            instead=scorer.INSTEAD,
        )
        for name, defaults in scorer.DEFAULTS.items()
    }


@pytest.fixture(scope="module")
def labelled(bench_files):
    return load(bench_files)


@pytest.fixture(scope="module")
def answers(labelled):
    decider = Decider.installed()
    found = {}
    for one in labelled[::8]:
        try:
            found[one.case.id] = decider.decide(one.case)
        except SaysoError:
            continue
    return found


def test_the_pack_says_what_the_scorer_keeps_in_tables(scorer, tools):
    for name, facts in facts_of(read(pack_folder("tasks") / "pack.yaml", Pack)).items():
        assert tools[name].defaults.items() <= facts.defaults.items(), name
        assert all(value is None for key, value in facts.defaults.items() if key not in tools[name].defaults), name
        assert (facts.reads, facts.destructive) == (tools[name].reads, tools[name].destructive), name
        assert facts.free <= scorer.FREE, name


def test_every_case_is_loaded(labelled, bench_lines):
    assert [one.case.id for one in labelled] == [line["id"] for line in bench_lines]


def test_our_own_answers_are_judged_alike(scorer, tools, labelled, answers):
    assert answers
    for one in labelled:
        if one.case.id in answers:
            decisions = json.loads(to_json(answers[one.case.id]))["decisions"]
            expected = any(scorer.outcome_ok(outcome, decisions) for outcome in one.expect)
            assert judge(one, answers[one.case.id], tools).right == expected, one.case.id


def test_right_and_nearly_right_answers_are_judged_alike(scorer, tools, bench_lines):
    dice = random.Random(7)
    seen = {True: 0, False: 0}
    for line in bench_lines:
        for outcome in line["expect"]:
            for _ in range(5):
                decisions = [_bend(_settle(pattern, dice), dice) for pattern in outcome]
                expected = any(scorer.outcome_ok(each, decisions) for each in line["expect"])
                assert as_expected(line["expect"], decisions, tools) == expected, (line["id"], decisions)
                seen[expected] += 1
    assert min(seen.values()) > 1_000


def test_the_figures_are_the_scorer_s(scorer_file, tools, labelled, answers, bench_files, tmp_path):
    file = tmp_path / "answers.jsonl"
    file.write_text("\n".join(map(to_json, answers.values())), encoding="utf-8")
    plain = [tmp_path / one.name.removesuffix(".xz") for one in bench_files]  # the scorer reads no compressed files
    for one, unpacked in zip(bench_files, plain, strict=True):
        unpacked.write_bytes(read_bytes(one))
    command = [sys.executable, scorer_file, "--answers", file, "--files", *plain]
    last = subprocess.run(command, capture_output=True, encoding="utf-8", check=False).stdout.strip().split("\n")[-1]

    def decide(case):
        if case.id not in answers:
            raise SaysoError("no answer")
        return answers[case.id]

    ours = report(judge_all(labelled, decide, tools))
    assert re.findall(r"[\d.]+", last) == [
        str(ours.total.right),
        str(ours.total.of),
        f"{ours.accuracy:.3f}",
        f"{ours.wrong_write_rate:.4f}",
        str(len(ours.unconfirmed_deletes)),
        f"{ours.ece:.3f}",
    ]


@pytest.mark.parametrize(
    ("tool", "wrong_write", "unconfirmed"),
    [("delete_task", True, True), ("complete_task", True, False), ("list_tasks", False, False)],
)
def test_a_wrong_call_weighs_by_what_it_does(tools, labelled, tool, wrong_write, unconfirmed):
    nothing_to_do = next(one for one in labelled if one.expect == [[{"kind": "none"}]])
    verdict = judge(nothing_to_do, _call(tool, {}), tools)
    assert (verdict.right, verdict.wrong_write, verdict.unconfirmed_delete) == (False, wrong_write, unconfirmed)


def test_a_destructive_command_of_a_machine_counts_as_a_delete(tools, labelled):
    one, command = next(
        (one, command["id"])
        for one in labelled
        for entity in one.case.entities
        for command in entity.get("commands", ())
        if command.get("destructive")
    )
    answer = _call("machine_command_execute", {"device_id": "nowhere", "machine_command_id": command})
    assert judge(one, answer, tools).unconfirmed_delete


def test_no_answer_is_wrong_but_writes_nothing(tools, labelled):
    verdict = judge(labelled[0], None, tools)
    assert (verdict.right, verdict.wrong_write) == (False, False)


@pytest.mark.parametrize(
    ("calls", "error"),
    [
        ([], 0),
        ([(0.9, True)] * 9 + [(0.9, False)], 0),
        ([(1.0, False)], 1),
        ([(0.55, True), (0.55, False), (0.95, True), (0.95, True)], 0.05),
    ],
)
def test_calibration_is_the_gap_between_confidence_and_truth(calls, error):
    assert expected_calibration_error(calls) == pytest.approx(error)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("{", "bad.jsonl:1"),
        ('{"id": "a", "message": 1, "now": "2026-03-10T09:00:00Z", "expect": []}', "$.message"),
        ('{"id": "a", "message": "", "now": "2026-03-10T09:00:00Z"}', "not a labelled case"),
        ('{"id": "a", "message": "", "now": "2026-03-10T09:00:00Z", "expect": [[{"kind": "maybe"}]]}', "`kind`"),
    ],
)
def test_a_bad_line_names_its_place(tmp_path, line, named):
    file = tmp_path / "bad.jsonl"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(MalformedCase, match=re.escape(named)):
        load([file])


def test_an_id_comes_once_only(tmp_path, bench_files):
    file = tmp_path / "twice.jsonl"
    line = read_bytes(bench_files[0]).decode().split("\n")[0]
    file.write_text(f"{line}\n{line}\n", encoding="utf-8")
    with pytest.raises(MalformedCase, match=r"twice\.jsonl:2"):
        load([file])


@pytest.fixture
def three(tmp_path):
    """Three cases: two that nothing is to be done about, and one that no answer fits."""
    base = {"now": "2026-03-10T09:00:00Z", "pack": "tasks", "lang": "en"}
    none, never = [[{"kind": "none"}]], [[{"kind": "call", "tool": "no_such_tool", "arguments": {}}]]
    cases = [
        base | {"id": "a", "message": "the weather is nice today", "expect": none, "tags": ["calm"]},
        base | {"id": "b", "message": "hm", "lang": "it", "expect": none, "tags": ["calm", "short"]},
        base | {"id": "c", "message": "???", "expect": never, "tags": ["odd"], "proposed": {"tool": "x"}},
    ]
    file = tmp_path / "three.jsonl"
    file.write_text("\n".join(map(json.dumps, cases)), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("options", "total"),
    [
        ([], 3),
        (["--only", "calm"], 2),
        (["--only", "short"], 1),
        (["--without-proposed"], 2),
        (["--lang", "it"], 1),
        (["--pack", "tasks"], 3),
        (["--pack", "elsewhere"], 0),
    ],
)
def test_cases_can_be_chosen(three, tmp_path, options, total):
    out = tmp_path / "result.json"
    outcome = CliRunner().invoke(app, ["eval", str(three), *options, "--json", str(out)])
    assert outcome.exit_code == 0, outcome.output
    assert json.loads(out.read_text("utf-8"))["total"]["of"] == total
    assert f"/{total} = " in outcome.stdout


def test_misses_are_shown_on_demand(three):
    with_them = CliRunner().invoke(app, ["eval", str(three), "--misses", "3"])
    without = CliRunner().invoke(app, ["eval", str(three)])
    assert "no_such_tool" in with_them.stdout
    assert "no_such_tool" not in without.stdout


@pytest.mark.parametrize(("minimum", "status"), [("0.1", 0), ("0.99", 1)])
def test_the_exit_status_tells_whether_it_is_good_enough(three, minimum, status):
    assert CliRunner().invoke(app, ["eval", str(three), "--min", minimum]).exit_code == status


def _call(tool, arguments):
    return Answer(id="", lang="en", decisions=(Call(tool=tool, arguments=arguments, confidence=0.9),))


def _settle(pattern, dice):
    """A decision that fits the pattern."""
    decision = copy.deepcopy(pattern)
    for key, value in decision.get("arguments", {}).items():
        if isinstance(value, dict) and "any" in value:
            decision["arguments"][key] = dice.choice(value["any"])
    if "options" in decision:
        decision["options"] = [{"label": "", "arguments": {"device_id": one}} for one in decision["options"]]
    return decision


def _bend(decision, dice):
    """The decision with one thing changed, or none."""
    arguments = decision.get("arguments") or {}
    key = dice.choice(sorted(arguments)) if arguments else None
    match dice.randrange(10):
        case 0:
            decision["kind"] = dice.choice(["call", "confirm", "clarify", "none"])
        case 1 if key:
            del arguments[key]
        case 2 if key:
            arguments[key] = dice.choice([None, "", 3, 3.0, True, "3", [], ["b", "a"], "x"])
        case 3 if key and isinstance(arguments[key], str):
            arguments[key] = dice.choice([str.upper, str.title, "  {}. ".format, "“{}”".format])(arguments[key])
        case 4 if key and not isinstance(arguments[key], str):
            arguments[key] = str(arguments[key])
        case 5:
            arguments |= {"priority": dice.choice(["medium", "high", None]), "description": ""}
        case 6:
            arguments |= {"device_name": "frigo", "command": None}
        case 7:
            decision["missing"] = dice.choice([[], ["title"], ["device_name"], ["command"], None, ["task_identifier"]])
        case 8:
            decision["tool"] = dice.choice([None, "list_tasks", "delete_task"])
        case _:
            pass
    return decision


def test_a_labelled_case_can_be_made_by_hand(tools, labelled):
    one = Labelled(case=labelled[0].case, expect=[[{"kind": "none"}]])
    answer = Answer(id="", lang="en", decisions=(Nothing(confidence=1, reason="empty"),))
    assert judge(one, answer, tools).right
