"""`sayso eval --sessions` judges conversations by the list, and exactly as the benchmark's own scorer does."""

from __future__ import annotations

import asyncio
import json
import lzma
import os
import re
from datetime import datetime
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.suite.report import SESSIONS
from sayso.assistant.conversation import Conversation
from sayso.assistant.converse import Assistant
from sayso.cli.main import app
from sayso.decider import Decider
from sayso.errors import MalformedCase
from sayso.evals.play import play, play_all, report_sessions
from sayso.evals.rows import difference, expected_after
from sayso.evals.sessions import Change, load_sessions
from sayso.packs.answers import load_answers
from sayso.packs.load import pack_folder
from sayso.tasks.store.memory import MemoryTasks
from sayso.tasks.store.taskfile import TaskFile

ROOT = Path(__file__).parent.parent
BENCH_HOME = Path(os.environ.get("SAYSO_BENCH", ROOT.parent / "shared" / "bench"))
OWN = sorted((ROOT / "tests" / "sessions").glob("*.jsonl"))
BENCH = sorted((BENCH_HOME / "sessions").glob("*.jsonl"))
SCORER = BENCH_HOME / "sessions" / "score_sessions.py"
BASE = {"id": "s", "lang": "en", "now": "2026-05-12T09:00:00+00:00"}
CLAMP = {"title": "Broken clamp", "due": "2026-05-20"}
ADD = "add a task to buy glue"
GLUE = {"add": {"title": "buy glue"}}


@pytest.fixture(scope="module")
def assistant():
    return Assistant(Decider.installed(), load_answers(pack_folder("tasks")))


@pytest.fixture
def played(assistant, tmp_path):
    """The turns of one session that is written here."""

    def run(*turns, start=(CLAMP,), **other):
        file = tmp_path / "session.jsonl"
        file.write_text(json.dumps({**BASE, "start": start, "turns": turns, **other}), encoding="utf-8")
        return list(play(load_sessions([file])[0], assistant))

    return run


def test_conversations_in_both_languages_come_out_right(assistant):
    result = report_sessions(play_all(load_sessions(OWN), assistant))
    assert not result.misses
    assert set(result.groups) == {"en", "it"}
    assert result.total.asked_first == 2
    assert (result.accuracy, result.wrong_rate) == (1, 0)


def test_a_compressed_file_holds_the_sessions_of_the_plain_one(tmp_path):
    plain, packed = tmp_path / "round-1-en.jsonl", tmp_path / "round-1-en.jsonl.xz"
    plain.write_text(json.dumps({**BASE, "turns": [{"say": ADD, "want": [GLUE]}]}), encoding="utf-8")
    packed.write_bytes(lzma.compress(plain.read_bytes()))
    (session,) = load_sessions([packed])
    assert [session] == load_sessions([plain])
    assert session.group == "round-1-en"


@pytest.mark.parametrize(
    ("turn", "kind", "questions"),
    [
        ({"say": ADD, "want": [GLUE]}, "right", 0),
        ({"say": ADD, "want": [{"add": {"title": {"any": ["glue", "Buy  glue."]}}}]}, "right", 0),
        ({"say": ADD, "want": [{"add": {"title": "buy glue", "priority": "high"}}]}, "wrong", 0),
        ({"say": ADD, "want": [GLUE], "ask": "must"}, "wrong", 0),
        ({"say": ADD}, "wrong", 0),
        ({"say": "the radio is too loud"}, "right", 0),
        ({"say": "the radio is too loud", "want": [GLUE]}, "refused", 0),
        ({"say": "delete broken clamp", "want": [{"delete": "broken clamp"}], "ask": "must"}, "right", 1),
        ({"say": "delete broken clamp", "want": [{"delete": "Broken clamp"}], "then": "no"}, "refused", 1),
        ({"say": "delete broken clamp", "want": [{"delete": "Broken clamp"}], "ask": "no"}, "refused", 0),
        ({"say": "delete broken clamp", "want": [{"complete": "Broken clamp"}]}, "misasked", 1),
        ({"say": "delete broken clamp"}, "right", 0),
        ({"say": "show my tasks", "show": {"has": ["clamp"], "not": ["glue"]}}, "right", 0),
        ({"say": "show my tasks", "show": {"has": [["lathe", "CLAMP"]]}}, "right", 0),
        ({"say": "show my tasks", "show": {"has": ["glue"]}}, "misread", 0),
        ({"say": "show my tasks", "show": {"not": ["clamp"]}}, "misread", 0),
        (
            {"say": "set broken clamp to high priority", "want": [{"change": "Broken clamp", "to": {"due": None}}]},
            "wrong",
            0,
        ),
    ],
)
def test_a_turn_is_judged_by_what_became_of_the_list(played, turn, kind, questions):
    (one,) = played(turn)
    assert (one.kind, one.questions) == (kind, questions), one


def test_a_question_is_answered_in_the_language_of_the_session(played):
    turn = {"say": "elimina morsetto rotto", "want": [{"delete": "Morsetto rotto"}], "ask": "must"}
    (one,) = played(turn, start=({"title": "Morsetto rotto"},), lang="it")
    assert (one.kind, one.questions) == ("right", 1)


def test_after_a_miss_the_list_is_corrected(played):
    lost = {"say": "the radio is too loud", "want": [{"add": {"title": "buy glue", "due": "2026-05-13"}}]}
    unwanted = {"say": "mark broken clamp as done"}
    done = {"say": "mark buy glue as done", "want": [{"complete": "buy glue"}]}
    again = {"say": "mark broken clamp as done", "want": [{"complete": "Broken clamp"}]}
    assert [one.kind for one in played(lost, unwanted, done, again)] == ["refused", "wrong", "right", "right"]


def test_a_deleted_task_that_should_have_stayed_comes_back(played):
    wrong = {"say": "delete broken clamp", "want": [{"change": "Broken clamp", "to": {"priority": "low"}}]}
    shown = {"say": "show my tasks", "show": {"has": ["clamp"]}}
    assert [one.kind for one in played(wrong, shown)] == ["misasked", "right"]


def test_a_later_turn_may_use_any_accepted_title(played):
    add = {"say": ADD, "want": [{"add": {"title": {"any": ["glue", "buy glue"]}}}]}
    done = {"say": "mark buy glue as done", "want": [{"complete": "glue"}]}
    assert [one.kind for one in played(add, done)] == ["right", "right"]


def test_a_miss_tells_the_tasks_that_differ(played):
    (one,) = played({"say": ADD, "want": [{"add": {"title": "buy glue", "priority": "high"}}]})
    assert [(row["title"], row["priority"]) for row in one.list.expected] == [("buy glue", "high")]
    assert [(row["title"], row["priority"]) for row in one.list.found] == [("buy glue", "medium")]
    assert "buy glue" in one.replies[0]


@pytest.mark.parametrize(
    ("field", "wanted", "found", "same"),
    [
        ("title", "“Buy  glue”.", "buy glue", True),
        ("title", "buy glue", "buy the glue", False),
        ("list", "Shed", "shed", True),
        ("remind", None, "PT0S", True),
        ("remind", None, "PT10M", False),
        ("repeat", "FREQ=WEEKLY;BYDAY=MO", "BYDAY=MO;INTERVAL=1;FREQ=WEEKLY", True),
        ("repeat", "FREQ=WEEKLY;BYDAY=MO", "FREQ=WEEKLY;BYDAY=TU", False),
        ("due", "2026-05-12T15:00", "2026-05-12T15:00:00", True),
        ("due", {"any": ["2026-05-12", None]}, None, True),
        ("due", "2026-05-12", "2026-05-12T15:00", False),
    ],
)
def test_fields_compare_by_what_they_mean(field, wanted, found, same):
    expected = expected_after({}, [Change(add={"title": "buy glue", field: wanted})])
    row = expected_after({}, [Change(add={"title": "buy glue", field: found})]).added[0]
    assert bool(difference(expected, {"t1": row})) is not same


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"turns": [{"say": "hm", "wants": []}]}, "wants"),
        ({"turns": [{"say": "hm", "want": [{"to": {}}]}]}, "exactly one"),
        ({"turns": [{"say": "hm", "want": [{"add": {"title": "a"}, "delete": "b"}]}]}, "exactly one"),
        ({"turns": [{"say": "hm", "want": [{"add": {}}]}]}, "title"),
        ({"turns": [{"say": "hm", "want": [{"change": "a"}]}]}, "`to`"),
        ({"turns": [{"say": "hm", "want": [{"add": {"title": "a", "colour": "red"}}]}]}, "colour"),
        ({"turns": [{"say": "hm", "want": [{"add": {"title": "a", "priority": {"any": ["huge"]}}}]}]}, "huge"),
        ({"turns": [{"say": "hm", "want": [{"add": {"title": {"all": []}}}]}]}, "any"),
        ({"turns": [], "now": "2026-05-12T09:00:00"}, "timezone"),
        ({"turns": [], "start": [{"due": "2026-05-12"}]}, "title"),
    ],
)
def test_a_bad_session_names_its_place(tmp_path, change, named):
    file = tmp_path / "bad.jsonl"
    file.write_text("\n" + json.dumps({**BASE, **change}), encoding="utf-8")
    with pytest.raises(MalformedCase, match=rf"bad\.jsonl:2: .*{re.escape(named)}"):
        load_sessions([file])


def test_an_id_comes_once_only(tmp_path):
    file = tmp_path / "twice.jsonl"
    line = json.dumps({**BASE, "turns": []})
    file.write_text(f"{line}\n{line}\n", encoding="utf-8")
    with pytest.raises(MalformedCase, match=r"twice\.jsonl:2"):
        load_sessions([file])


def test_a_label_about_a_task_that_is_not_there_is_refused(played):
    with pytest.raises(MalformedCase, match=r"s/1: .*Lost saw"):
        played({"say": "hm", "want": [{"complete": "Lost saw"}]})


@pytest.fixture
def half_right(tmp_path):
    """Two turns, one of them wrong."""
    file = tmp_path / "half.jsonl"
    turns = [{"say": ADD, "want": [GLUE]}, {"say": "mark broken clamp as done"}]
    file.write_text(json.dumps({**BASE, "start": [CLAMP], "turns": turns}), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ([], 0),
        (["--min", "0.5", "--max-wrong", "0.5"], 0),
        (["--min", "0.6"], 1),
        (["--max-wrong", "0.4"], 1),
        (["--pack", "tasks"], 2),
        (["--without-proposed"], 2),
    ],
)
def test_the_exit_status_tells_whether_it_is_good_enough(half_right, options, status):
    assert CliRunner().invoke(app, ["eval", "--sessions", str(half_right), *options]).exit_code == status


def test_misses_are_shown_on_demand(half_right):
    with_them = CliRunner().invoke(app, ["eval", "--sessions", str(half_right), "--misses", "1"]).stdout
    without = CliRunner().invoke(app, ["eval", "--sessions", str(half_right)]).stdout
    assert "wrong s/2  mark broken clamp as done" in with_them
    assert "want   Broken clamp (due 2026-05-20)\n" in with_them
    assert "got    Broken clamp (status completed, due 2026-05-20)\n" in with_them
    assert re.search(r"reply  .*Broken clamp", with_them)
    assert "s/2" not in without
    assert "turns right 1/2 = 0.500" in without


def test_the_result_can_be_kept_as_json(half_right, tmp_path):
    out = tmp_path / "result.json"
    CliRunner().invoke(app, ["eval", "--sessions", str(half_right), "--json", str(out)])
    result = json.loads(out.read_text("utf-8"))
    assert (result["accuracy"], result["wrong_rate"], result["total"]["turns"]) == (0.5, 0.5, 2)
    assert [miss["id"] for miss in result["misses"]] == ["s/2"]


@pytest.mark.parametrize(("options", "turns"), [(["--lang", "it"], 5), (["--only", "choir"], 3), (["--only", "x"], 0)])
def test_sessions_can_be_chosen(options, turns):
    outcome = CliRunner().invoke(app, ["eval", "--sessions", *map(str, OWN), *options])
    assert f"turns right {turns}/{turns} = " in outcome.stdout


def test_the_evaluation_page_tells_of_them():
    assert SESSIONS.read_text("utf-8") in (ROOT / "docs" / "evaluation.md").read_text("utf-8")


@pytest.fixture
def scorer(assistant, monkeypatch):
    """The benchmark's scorer, talking to an assistant in this process instead of starting a command."""
    if not SCORER.exists():
        pytest.skip("the sessions of the benchmark are not here; name its folder in SAYSO_BENCH")

    class Chat:
        def __init__(self, _command, file, now):
            moment = datetime.fromisoformat(now)
            hands = MemoryTasks(lambda: moment, file=TaskFile(file))
            self._conversation = Conversation(assistant, hands, clock=lambda: moment)

        def say(self, text):
            reply = asyncio.run(self._conversation.say(text))
            return f"{reply.reply} ?" if reply.confirmation else reply.reply

        def close(self):
            pass

    spec = spec_from_file_location("score_sessions", SCORER)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "Chat", Chat)
    monkeypatch.setattr(module.time, "sleep", lambda _: None)
    return module


def test_turns_are_judged_as_the_scorer_judges_them(scorer, assistant):
    lines = [line for file in OWN for line in file.read_text("utf-8").splitlines()]
    lines += [line for file in BENCH for line in file.read_text("utf-8").splitlines()[::4]]
    theirs = {one["id"]: (one["kind"], one["asked"]) for line in lines for one in scorer.run(json.loads(line), "")}
    sessions = [one for one in load_sessions([*OWN, *BENCH]) if f"{one.id}/1" in theirs]
    ours = {one.id: (one.kind, one.questions) for one in play_all(sessions, assistant)}
    assert len(ours) > 40
    assert ours == theirs
