"""One style for dates: questions, cards, answers and lists say them alike, and the page says them by the same table."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from sayso.assistant.conversation import Conversation
from sayso.assistant.converse import Assistant
from sayso.decider import Decider
from sayso.languages.spoken import spoken
from sayso.packs.answers import Proposed, load_answers
from sayso.packs.load import pack_folder
from sayso.tasks.store.memory import MemoryTasks

pytestmark = pytest.mark.anyio

TABLE = json.loads(Path(__file__).with_name("said_dates.json").read_text("utf-8"))  # the page's tests read it as well
NOW = datetime.fromisoformat(TABLE["now"]).astimezone(ZoneInfo(TABLE["zone"]))
ANSWERS = load_answers(pack_folder("tasks"))
DATES = [(lang, each["due"], each[lang]) for each in TABLE["dates"] for lang in ("en", "it")]
DUE = {"en": "due", "it": "per"}
ADD = {"en": 'Add "trip" to your list', "it": 'Aggiungo "trip" alla lista'}
CHANGE = {"en": 'Change "trip" (due {})?', "it": 'Modifico "trip" (scadenza {})?'}


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"


@pytest.mark.parametrize(("lang", "due", "said"), DATES, ids=str)
def test_a_date_is_said_alike_in_all_places(lang, due, said):
    task = {"id": "t1", "title": "trip", "due": due, "status": "pending", "completed": False}
    new = {"title": "trip", "due": due}
    change = {"task_identifier": "t1", "new_due": due}
    shown = [ANSWERS.together(lang, [Proposed("delete_task", {"task_identifier": "t1"}, task)] * 2, NOW).lines[0]]
    shown += [ANSWERS.together(lang, [Proposed("add_task", new, {}), Proposed("add_task", {}, {})], NOW).lines[0]]
    result = {"status": "success", "task": task}
    assert spoken(lang).when(due, NOW) == said
    assert shown == [f"trip · {DUE[lang]} {said}"] * 2
    assert ANSWERS.question(lang, f"{ADD[lang]}?", "add_task", new, NOW) == f"{ADD[lang]}, {DUE[lang]} {said}?"
    assert ANSWERS.question(lang, CHANGE[lang].format(due), "update_task", change, NOW) == CHANGE[lang].format(said)
    assert f"{DUE[lang]} {said}" in ANSWERS.deed(lang, "add_task", new, result, NOW).text
    assert said in ANSWERS.deed(lang, "update_task", change, result, NOW).text
    listed = {"status": "success", "tasks": [task], "count": 1}
    assert f"1. trip · {DUE[lang]} {said}" in ANSWERS.deed(lang, "list_tasks", {}, listed, NOW).text


def test_a_question_is_given_what_it_does_not_tell_and_nothing_twice():
    stored = {"title": "milk", "list": "Home", "due": "2026-04-01", "repeat": "FREQ=WEEKLY", "priority": "high"}
    asked = ANSWERS.question("en", 'Add "milk" to your list?', "add_task", stored, NOW)
    assert asked == (
        'Add "milk" to your list, on the list "Home", due Wednesday, repeating every week, with high priority?'
    )
    assert ANSWERS.question("en", asked, "add_task", stored, NOW) == asked
    new = 'You have no list "Home" yet. Create it with "milk"?'
    told = ANSWERS.question("en", new, "add_task", {"title": "milk", "list": "Home", "due": "2026-04-01"}, NOW)
    assert told == 'You have no list "Home" yet. Create it with "milk", due Wednesday?'


def test_a_title_that_looks_like_a_date_stays_as_it_is():
    change = {"task_identifier": "t1", "new_title": "2026-04-01", "new_due": "2026-04-01"}
    asked = ANSWERS.question("en", 'Change "x" (title "2026-04-01", due 2026-04-01)?', "update_task", change, NOW)
    assert asked == 'Change "x" (title "2026-04-01", due Wednesday)?'


@pytest.mark.parametrize(
    ("lang", "message", "said"),
    [
        ("en", "add trip 24/12", "due 24 December"),
        ("en", "add milk to the shopping list on friday", "due Friday"),
        ("it", "aggiungi viaggio 24/12", "per il 24 dicembre"),
        ("it", "aggiungi latte alla lista della spesa per venerdì", "per venerdì"),
    ],
)
async def test_a_question_that_would_store_a_date_names_it(lang, message, said):
    assistant = Assistant(Decider.installed(), ANSWERS)
    conversation = Conversation(assistant, MemoryTasks(lambda: NOW), clock=lambda: NOW, lang=lang)
    reply = await conversation.say(message)
    assert reply.results == ()
    assert reply.reply.endswith("?")
    assert said in reply.reply
    for card in reply.confirmations:
        assert said in card.card
