"""The suite: the splits are kept apart, the measures count what they say, and the report says it all."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree as ET

import pytest
from typer.testing import CliRunner

from benchmarks.suite import false_writes, gate, known, reliability, replies, report, todo
from benchmarks.suite.baselines import by_keywords, never
from benchmarks.suite.command import app
from benchmarks.suite.run import MEASURES
from benchmarks.suite.values import Contender, sample, seen, unwatched
from sayso.decision import Answer, Call, Nothing
from sayso.evals.score import Verdict
from sayso.evals.training import scene
from sayso.evals.training.sources import Row, out_of_domain, rows, side

NEVER = [Contender("never", never)]


def lines(*objects):
    return "\n".join(json.dumps(each) for each in objects) + "\n"


@pytest.fixture
def data(tmp_path):
    """Public data in small: the same shapes, other sentences."""
    clinc = {
        "test": [["read me the chores", "todo_list"], ["is it far to the moon", "distance"]],
        "oos_test": [["how many legs has a table", "oos"]],
        "train": [["what must i do", "todo_list"]],
        "val": [["call me Zoe", "user_name"]],
        "oos_train": [],
        "oos_val": [],
    }
    skills = [
        ("todo", "MarkToDo", "the soup is made", [("TaskContent", "soup")], "test"),
        ("todo", "DeleteToDo", "empty everything", [("ContainsAll", "everything")], "train"),
        ("general", "Confirm", "yes", [], "test"),
        ("general", "SelectItem", "the last one", [], "test"),
        ("general", "SelectItem", "the left one", [], "test"),
        ("weather", "Ask", "yes", [], "test"),
        ("weather", "Ask", "any snow", [], "test"),
    ]
    files = {
        "clinc150/data_full.json": json.dumps(clinc),
        "ms-skills-lu/it.jsonl": "",
        "ms-skills-lu/en.jsonl": lines(
            *(
                {
                    "text": text,
                    "domain": domain,
                    "intent": intent,
                    "split": split,
                    "entities": [{"entity": name, "value": value} for name, value in marks],
                }
                for domain, intent, text, marks, split in skills
            )
        ),
    }
    for name, text in files.items():
        file = tmp_path / "data" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path / "data"


def verdict(identifier, right, *calls):
    got = [{"kind": "none", "reason": "empty"}]
    return Verdict(
        id=identifier,
        message="",
        group="",
        tags=(),
        lang="en",
        right=right,
        wrong_write=False,
        unconfirmed_delete=False,
        calls=calls,
        expect=[],
        got=got,
    )


def test_a_row_belongs_to_one_split(data):
    test, dev = ({row.text for row in rows(data, "clinc150", split)} for split in ("test", "dev"))
    assert test
    assert dev
    assert not test & dev


def test_a_text_with_a_label_near_to_us_is_not_out_of_our_domain(data):
    found = out_of_domain(rows(data, "ms-skills-lu", "test"))
    assert [row.text for row in found] == ["any snow"]


@pytest.mark.parametrize(
    ("source", "intent", "where"),
    [
        ("clinc150", "reminder_update", "ours"),
        ("clinc150", "user_name", "either"),
        ("clinc150", "oos", "out"),
        ("xsid", "reminder/set_reminder", "ours"),
        ("hwu64", "calendar_set", "either"),
        ("chatterbot-smalltalk", "food", "out"),
    ],
)
def test_every_intent_has_a_side(source, intent, where):
    assert side(Row(source, "en", intent, "")) == where


def test_a_sample_is_the_same_every_time():
    assert sample(list(range(100)), 5) == sample(list(range(100)), 5)
    assert sample([1, 2], 5) == [1, 2]


def test_one_who_never_decides_takes_nothing_up(data):
    section = gate.measure(data, NEVER, "test", None, unwatched)
    assert [figure.values for figure in section.figures] == [("–",), ("0.0 %",)]


def test_one_who_always_adds_writes_falsely_every_time(data):
    def adds(_case):
        return Answer(id="", lang="en", decisions=(Call(tool="add_task", arguments={"title": "x"}, confidence=1),))

    section = false_writes.measure(data, [Contender("adds", adds)], {}, "test", None, unwatched)
    assert section.figures[0].values == ("1000.00",)
    assert not section.figures[0].met


@pytest.mark.parametrize("module", [gate, todo, replies])
def test_rows_of_a_test_split_are_never_shown(data, module):
    assert not module.measure(data, NEVER, "test", None, unwatched).misses


def test_rows_of_a_development_split_are(data):
    (miss,) = todo.measure(data, NEVER, "dev", None, unwatched).misses
    assert miss.text == "empty everything"


def test_refusing_all_at_once_is_right(data):
    def refuses(_case):
        return Answer(id="", lang="en", decisions=(Nothing(confidence=1, reason="unsupported"),))

    assert not todo.measure(data, [Contender("refuses", refuses)], "dev", None, unwatched).misses


def test_a_reply_is_right_when_it_does_what_was_asked(data):
    def answers(case):
        options = getattr(case.pending, "options", ())
        wanted = options[-1] if options else case.pending
        call = Call(tool=wanted.tool, arguments=wanted.arguments, confidence=1)
        return Answer(id="", lang="en", decisions=(call,))

    section = replies.measure(data, [Contender("answers", answers)], "test", None, unwatched)
    assert section.figures[0].values == ("100.0 %",)
    assert section.tables[0].rows == (("English", "`Confirm`", "1 / 1"), ("English", "`SelectItem`", "1 / 1"))


@pytest.mark.parametrize(
    ("lang", "said", "place"),
    [
        ("en", "one", 1),
        ("en", "choose no. one", 1),
        ("en", "the fourth one", 4),
        ("en", "the upper left one", 0),
        ("en", "the bottom one", -1),
        ("it", "la prima", 1),
        ("it", "numero uno", 1),
        ("it", "voglio l'ultima", -1),
        ("it", "quella in basso a destra", 0),
        ("it", "opta per la terza scelta", 3),
    ],
)
def test_a_choice_names_a_place(lang, said, place):
    assert replies._place(Row("ms-skills-lu", lang, "general/SelectItem", said)) == place


@pytest.mark.parametrize(
    ("message", "kind", "tool"),
    [
        ("Add a task to buy groceries", "call", "add_task"),
        ("Show me my overdue tasks", "call", "list_tasks"),
        ("Just add", "clarify", "add_task"),
        ("Delete the last task", "confirm", "delete_task"),
        ("Tell me a joke", "none", None),
    ],
)
def test_the_keyword_baseline_does_as_it_is_described(message, kind, tool):
    (decision,) = by_keywords(scene.case(message, scene.tasks("en"))).decisions
    assert seen(decision)[:2] == (kind, tool)


def test_misses_are_new_known_or_mended():
    before = {"a": "none", "b": "none", "gone": "none"}
    verdicts = [verdict("a", True), verdict("b", False), verdict("c", False)]
    change = known.compare(before, verdicts, frozenset("abc"))
    assert (change.still, change.new, change.mended) == (("b",), ("c",), ("a",))


def test_misses_are_kept_as_data(tmp_path):
    file = tmp_path / "misses.json"
    known.write(file, [verdict("b", False), verdict("a", True)])
    assert known.read(file) == {"b": "none empty"}


def test_the_reliability_diagram_has_a_dot_for_each_bin():
    drawing = reliability.picture([verdict("a", True, (0.95, True), (0.92, True), (0.61, False))])
    circles = ET.fromstring(drawing).findall("{*}circle")  # noqa: S314  our own drawing
    assert len(circles) == 4  # two bins, in the panel of all and in that of English


@pytest.mark.long
def test_the_suite_writes_a_report(data, tmp_path):
    file = tmp_path / "out" / "report.md"
    command = ["--quick", "--bench", str(tmp_path), "--data", str(data), "--report", str(file)]
    for name in MEASURES[:-1]:
        command += ["--measure", name]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    text = file.read_text("utf-8")
    for name in MEASURES[:-1]:
        assert f"Measure: `{name}`." in text
    assert text.count("Data: ") == len(MEASURES) - 1
    assert re.search(r"!\[.*\]\(report/reliability.svg\)", text)
    assert (file.parent / "report" / "reliability.svg").exists()
    kept = json.loads(file.with_suffix(".json").read_text("utf-8"))
    assert [one["name"] for one in kept["measures"]] == list(MEASURES[:-1])


def test_a_wrong_measure_says_which_there_are():
    done = CliRunner().invoke(app, ["--measure", "luck"])
    assert done.exit_code == 2
    assert "luck" in done.output


@pytest.mark.parametrize(
    ("lang", "said", "explicit"),
    [
        ("en", "thanks a lot", False),
        ("en", "very nice", False),
        ("en", "fine for now", False),
        ("en", "thank you yes", True),
        ("en", "that's all right", True),
        ("it", "tante grazie", False),
        ("it", "che bello", False),
        ("it", "va bene grazie", True),
    ],
)
def test_thanks_and_praise_must_not_delete(lang, said, explicit):
    trial = replies.Trial(Row("ms-skills-lu", lang, "general/Confirm", said), "Confirm", "confirm", 0)
    pending = replies._pending(trial)
    ran = Answer(id="", lang=lang, decisions=(Call(tool=pending.tool, arguments=pending.arguments, confidence=1),))
    asked = Answer(id="", lang=lang, decisions=(pending,))
    assert (replies._right(trial, ran), replies._right(trial, asked)) == (explicit, not explicit)


def test_the_page_is_written_from_the_file_of_all_tables(root):
    page, tables = root / "docs" / "evaluation.md", root / "benchmarks" / "results" / "evaluation.json"
    kept = json.loads(tables.read_text("utf-8"))
    assert page.read_text("utf-8") == report.markdown(kept, page, tables)
    assert [one["name"] for one in kept["measures"]] == list(MEASURES)
    assert all(one["tables"] for one in kept["measures"])
