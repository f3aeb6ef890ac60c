"""What is said back: whole sentences for every kind of result, in every language, and nothing that is not so."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import get_args

import pytest

from sayso.files.yamlfile import parse
from sayso.languages.load import installed_tags
from sayso.packs.answers import Answers, load_answers
from sayso.packs.load import installed_packs, load_tools, pack_folder
from sayso.packs.wording import places
from sayso.tasks.values import Reason

NOW = datetime.fromisoformat("2026-11-15T11:00:00+01:00")
FIXED = {
    "undone", "undone_nothing", "undone_stale", "refused", "expired", "stale", "declined", "unavailable", "busy",
    "which_card", "failed",
}  # fmt: skip
ANSWERS = {name: load_answers(pack_folder(name)) for name in installed_packs()}
REASONS = (*get_args(Reason), "stale", "offline", "timeout", "something else")
TASK = {"id": "t1", "title": "Buy milk", "status": "pending", "priority": "medium", "due": None, "completed": False}


def rows():
    told = parse(Path(__file__).with_name("answers.yaml"))
    return [(pack, row, lang) for pack, told_of in told.items() for row in told_of for lang in ("en", "it")]


@pytest.mark.parametrize(
    ("pack", "row", "lang"), rows(), ids=lambda one: one if isinstance(one, str) else one["en"][:40]
)
def test_a_result_is_told_in_these_words(pack, row, lang):
    told = ANSWERS[pack].deed(lang, row["tool"], row["arguments"], row["result"], NOW)
    assert told.text == row[lang]
    assert list(told.shown) == row.get("shown", [])


@pytest.mark.parametrize("pack", installed_packs())
def test_every_language_has_every_word(pack):
    books = [ANSWERS[pack].book(lang) for lang in installed_tags()]
    assert [book.language for book in books] == list(installed_tags())
    first = books[0]
    for book in books:
        assert set(book.phrases) == set(first.phrases) >= FIXED
        assert {name: sorted(places(text)) for name, text in book.phrases.items()} == {
            name: sorted(places(text)) for name, text in first.phrases.items()
        }
        assert set(book.errors) == set(first.errors)
        assert set(book.tools) == set(first.tools) == {*load_tools(pack), "*"}
        for name, telling in book.tools.items():
            assert set(telling.done) == set(first.tools[name].done)
            if telling.items is not None:
                assert set(telling.items.none) == set(first.tools[name].items.none)
                assert set(telling.items.head) == set(first.tools[name].items.head)
        assert book.prompt.strip()


@pytest.mark.parametrize("lang", installed_tags())
@pytest.mark.parametrize("pack", installed_packs())
def test_whatever_a_tool_gives_no_place_stays_open_and_the_answer_is_short(pack, lang):
    results = [{"status": "success"}, {"status": "success", "changed": False}, {"status": "success", "task": TASK}]
    for reason in REASONS:
        for options in ([], [TASK | {"name": "Oven"}]):
            results.append({"status": "error", "reason": reason, "options": options})
            results.append({"status": "error", "reason": reason, "options": options, "error_message": "So it is."})
    for tool in (*load_tools(pack), "unheard of"):
        for result in results:
            text = ANSWERS[pack].deed(lang, tool, {"task_identifier": "milk"}, result, NOW).text
            assert text.strip()
            assert not re.search(r"[{}]|None|null|  ", text), (tool, result, text)
            assert len(text.split()) < 100


@pytest.mark.parametrize(
    ("rule", "en", "it"),
    [
        ("FREQ=DAILY", "every day", "ogni giorno"),
        ("FREQ=DAILY;INTERVAL=2", "every other day", "un giorno sì e uno no"),
        ("FREQ=DAILY;INTERVAL=3", "every 3 days", "ogni 3 giorni"),
        ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "every weekday", "dal lunedì al venerdì"),
        ("FREQ=WEEKLY", "every week", "ogni settimana"),
        ("FREQ=WEEKLY;BYDAY=SU", "every Sunday", "ogni domenica"),
        ("FREQ=WEEKLY;BYDAY=MO,WE,FR", "every Monday, Wednesday and Friday", "ogni lunedì, mercoledì e venerdì"),
        ("FREQ=WEEKLY;BYDAY=SA,SU", "every weekend", "ogni fine settimana"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU", "every other week on Sunday", "ogni due settimane, la domenica"),
        ("FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,TH", "every 3 weeks on Monday and Thursday",
         "ogni 3 settimane, il lunedì e il giovedì"),
        ("FREQ=MONTHLY", "every month", "ogni mese"),
        ("FREQ=MONTHLY;BYMONTHDAY=8", "every month on the 8th", "ogni mese, l'8"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,15", "every month on the 1st and the 15th", "ogni mese, il 1° e il 15"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", "every month on the last day", "ogni mese, l'ultimo giorno"),
        ("FREQ=MONTHLY;BYMONTHDAY=-3", "every month on day 3 from the end", "ogni mese, il giorno 3 dalla fine"),
        ("FREQ=MONTHLY;BYDAY=1MO", "every month on the first Monday", "ogni mese, il primo lunedì"),
        ("FREQ=MONTHLY;BYDAY=-1SU", "every month on the last Sunday", "ogni mese, l'ultima domenica"),
        ("FREQ=MONTHLY;INTERVAL=3", "every 3 months", "ogni 3 mesi"),
        ("FREQ=YEARLY", "every year", "ogni anno"),
        ("FREQ=DAILY;UNTIL=20261201", "every day until 1 December", "ogni giorno, non oltre il 1° dicembre"),
        ("FREQ=DAILY;UNTIL=20261116T120000", "every day until tomorrow", "ogni giorno, non oltre domani"),
        ("FREQ=DAILY;COUNT=1", "every day, one more time", "ogni giorno, ancora una volta"),
        ("FREQ=DAILY;COUNT=5", "every day, 5 times", "ogni giorno, 5 volte"),
        ("now and then", "now and then", "now and then"),
        ("FREQ=HOURLY", "FREQ=HOURLY", "FREQ=HOURLY"),
        ("FREQ=WEEKLY;BYDAY=XX", "FREQ=WEEKLY;BYDAY=XX", "FREQ=WEEKLY;BYDAY=XX"),
    ],
)  # fmt: skip
def test_a_repeat_is_told_in_words(rule, en, it):
    result = {"status": "success", "count": 1, "tasks": [TASK | {"repeat": rule}]}
    for lang, words in (("en", en), ("it", it)):
        line = ANSWERS["tasks"].deed(lang, "list_tasks", {}, result, NOW).text.splitlines()[1]
        assert line == f"1. Buy milk · {words}"


PROMISE = re.compile(r"\bI'll remind|\bwill remind|\bti (mander|mostrer|ricord|avvis)", re.IGNORECASE)
NOTHING = re.compile("You won't get a reminder|Non riceverai un promemoria")


@pytest.mark.parametrize("lang", installed_tags())
@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("add_task", {"remind": "PT10M"}, ""),
        ("add_task", {}, "please remind me to call mom tomorrow at 5pm"),
        ("add_task", {}, "ricordami di chiamare la mamma domani alle 17"),
        ("update_task", {"new_remind": "PT10M"}, ""),
        ("update_task", {"new_remind": "PT10M", "new_list": "Home"}, ""),
    ],
)
def test_an_answer_promises_a_reminder_only_if_one_arrives(lang, tool, arguments, message):
    task = TASK | {"remind": "PT10M", "due": "2026-11-16T17:00"}
    for rings in ("arrives", "page", "terminal", "nowhere", "past", "undated", None):
        result = {"status": "success", "task": task, "rings": rings, "remind_at": "2026-11-16T16:50"}
        text = ANSWERS["tasks"].deed(lang, tool, arguments, result, NOW, message).text
        assert bool(PROMISE.search(text)) == (rings in ("arrives", "page", "terminal")), text
        assert bool(NOTHING.search(text)) == (rings in ("nowhere", "past", "undated", None)), text
        if rings == "arrives":
            assert "4:50 pm" in text or "16:50" in text


def test_an_answer_says_nothing_of_reminders_unless_somebody_asked():
    task = TASK | {"remind": "PT0S", "due": "2026-11-16T17:00"}
    result = {"status": "success", "task": task, "rings": "nowhere"}
    text = ANSWERS["tasks"].deed("en", "add_task", {"due": "2026-11-16T17:00"}, result, NOW, "call mom at 5").text
    assert text == 'I\'ve added "Buy milk" to your list, due tomorrow at 5 pm.'


@pytest.mark.parametrize("lang", installed_tags())
@pytest.mark.parametrize("pack", installed_packs())
def test_a_fixed_phrase_has_no_place_open(pack, lang):
    for name in FIXED:
        assert "{" not in ANSWERS[pack].phrase(lang, name)


@pytest.mark.parametrize(
    ("result", "en", "it", "shown"),
    [
        (
            {"status": "success", "changed": True, "title": "Buy milk", "task": TASK},
            'I\'ve undone that. "Buy milk" is as it was.',
            'Ho annullato la modifica. "Buy milk" è com\'era prima.',
            ("t1",),
        ),
        (
            {"status": "success", "changed": True, "title": "Buy milk"},
            'I\'ve undone that. "Buy milk" is off your list again.',
            'Ho annullato la modifica. "Buy milk" non è più nella lista.',
            (),
        ),
        ({"status": "success"}, "I've undone that.", "Ho annullato la modifica.", ()),
        (
            {"status": "error", "reason": "stale"},
            "It has been changed since, so I left it alone. Tell me what it should be.",
            "Nel frattempo è cambiata, quindi non l'ho toccata. Dimmi come deve essere.",
            (),
        ),
        (
            {"status": "error", "reason": "unavailable"},
            "I can't reach your tasks right now. Please try again in a moment.",
            "In questo momento non riesco a leggere le tue attività. Riprova fra poco.",
            (),
        ),
    ],
)
def test_what_was_taken_back_is_told_by_its_name(result, en, it, shown):
    assert ANSWERS["tasks"].undone("en", result) == (en, shown)
    assert ANSWERS["tasks"].undone("it", result) == (it, shown)


def test_a_phrase_names_the_thing_where_it_is_known():
    assert ANSWERS["tasks"].phrase("en", "undone", title='a"b') == 'I\'ve undone that. "a\\"b" is as it was.'
    assert ANSWERS["tasks"].phrase("it", "declined", title="x") == "Va bene, lascio tutto com'è."


@pytest.mark.parametrize("lang", installed_tags())
@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("tool", ["add_task", "complete_task", "delete_task", "update_task"])
def test_an_error_never_reads_like_a_success(tool, reason, lang):
    arguments = {"task_identifier": "t1", "title": "Buy milk", "new_title": "Buy bread"}
    book = ANSWERS["tasks"].book(lang)
    successes = [form.split("{")[0] for telling in book.tools.values() for form in telling.done.values()]
    for status in ("error", "needs_confirmation", None):
        text = ANSWERS["tasks"].deed(lang, tool, arguments, {"status": status, "reason": reason}, NOW).text
        assert not any(text.startswith(beginning) for beginning in successes if len(beginning) > 5)


@pytest.mark.parametrize("name", ["title", "new_title", "description"])
def test_a_text_that_is_too_long_is_told_so(name):
    arguments = {"title": "x", name: "x" * 1001}
    result = {"status": "error", "reason": "invalid", "error_message": "Expected `str` of length <= 200"}
    assert "too long" in ANSWERS["tasks"].deed("en", "add_task", arguments, result, NOW).text
    assert "troppo lungo" in ANSWERS["tasks"].deed("it", "add_task", arguments, result, NOW).text


def test_a_title_cannot_hide_letters_nor_end_its_quotation_nor_fill_a_place():
    title = 'a\u202eb" was deleted {status} \n'
    result = {"status": "success", "changed": True, "task": TASK | {"title": title}}
    told = ANSWERS["tasks"].deed("en", "complete_task", {}, result, NOW).text
    assert told == 'Well done! "a<U+202E>b\\" was deleted {status} <U+000A>" is completed.'
    listed = {"status": "success", "count": 1, "tasks": [TASK | {"title": "a\n2. b"}]}
    assert ANSWERS["tasks"].deed("en", "list_tasks", {}, listed, NOW).text == "You have one task:\n1. a<U+000A>2. b"


def test_a_language_without_answers_gets_english():
    result = {"status": "success", "changed": True, "task": TASK}
    assert ANSWERS["tasks"].deed("fr", "complete_task", {}, result, NOW).text == 'Well done! "Buy milk" is completed.'
    assert ANSWERS["tasks"].prompt("fr") == ANSWERS["tasks"].prompt("en")


UNDO = """
cancel
undo
Undo.
undo that please
Oops, undo the last change!
can you take that back?
TAKE IT BACK
no no, put it back
sorry, revert that
annulla
Annulla per favore
no, torna indietro
Scusa, annulla l’ultima operazione
rimetti tutto com'era prima
RIMETTILA COM ERA
"""
NO_UNDO = """
undo buy milk
no
please
go back
torna indietro
annulla la spesa
take back the books to the library
add undo the knots
no, tomorrow
please please please
"""


@pytest.mark.parametrize("message", UNDO.strip().splitlines())
def test_a_wish_to_take_back_is_heard_in_either_language(message):
    assert ANSWERS["tasks"].wants_undo(message)


@pytest.mark.parametrize(
    "message", [*NO_UNDO.strip().splitlines(), "", "🙂", "no " * 26, "ok oops " * 10, "no " * 10_000 + "undo"]
)
def test_anything_else_is_none(message):
    assert not ANSWERS["tasks"].wants_undo(message)


def test_answers_are_of_their_folder(tmp_path):
    (tmp_path / "answers").mkdir()
    source = pack_folder("tasks") / "answers" / "en.yaml"
    text = source.read_text("utf-8").replace("Well done!", "Hooray!")
    (tmp_path / "answers" / "en.yaml").write_text(text, encoding="utf-8")
    mine: Answers = load_answers(tmp_path)
    result = {"status": "success", "changed": True, "task": TASK}
    assert mine.deed("it", "complete_task", {}, result, NOW).text == 'Hooray! "Buy milk" is completed.'
