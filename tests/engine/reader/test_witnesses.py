"""The rules and the learned reader together: what both say runs, what only one says is weighed."""

import pytest

from sayso import Case, Decider
from sayso.case import Turn
from sayso.decision import Call, Clarify, Confirm, Nothing
from sayso.engine.decide.room import Room, Thresholds
from sayso.engine.decide.wording import Voice
from sayso.engine.reader.compare import Trust
from sayso.engine.reader.decisions import draft
from sayso.engine.reader.read import Draft, Prediction, Value
from sayso.engine.reader.witnesses import Verdict
from sayso.record import Entity
from talk import NOW, assistant, say, task, tasks, user

BOTH = Decider.installed()
RULES = Decider.installed(thresholds=Thresholds(reader=False))
LIST = tasks("Water the ferns", "Call the plumber", "Renew passport")


def run(message: str, decider: Decider = BOTH, things=LIST):
    return decider.run(Case(message=message, now=NOW, entities=things))


def verdict(message: str) -> Verdict:
    found = run(message).verdict
    assert found is not None
    return found


@pytest.mark.parametrize("message", ["add a task to paint the fence", "aggiungi un'attività: pagare la bolletta"])
def test_a_plain_command_is_read_alike_by_both_and_runs(message):
    found = verdict(message)
    assert found.agreement == "agree"
    assert [type(one) for one in found.decisions] == [Call]


@pytest.mark.parametrize(
    ("message", "title"), [("optician thu 2pm", "optician"), ("dentista giovedì alle 15", "dentista")]
)
def test_an_appointment_without_a_command_is_the_readers_alone(message, title):
    assert all(isinstance(one, Nothing) for one in run(message, RULES).answer.decisions)
    found = verdict(message)
    assert found.agreement == "reader alone"
    (one,) = found.decisions
    assert isinstance(one, (Call, Confirm))
    assert (one.tool, one.arguments["title"]) == ("add_task", title)
    assert one.arguments["due"]


@pytest.mark.parametrize("message", ["buy oat milk", "comprare il pane"])
def test_a_bare_chore_without_a_date_is_asked_about(message):
    (one,) = run(message).answer.decisions
    assert isinstance(one, Confirm)
    assert one.reason == "uncertain"


@pytest.mark.parametrize("ask", ["should I {}?", "did I {}?", "what happens if I {}?"])
@pytest.mark.parametrize("act", ["renew the passport", "delete the ferns", "add buy milk", "call the plumber"])
def test_a_question_about_oneself_never_writes_nor_asks_to(ask, act):
    decisions = run(ask.format(act)).answer.decisions
    assert not any(isinstance(one, (Call, Confirm)) and one.tool != "list_tasks" for one in decisions)


def test_a_value_that_cannot_be_read_makes_the_readers_version_void():
    found = run("optician thu 2pm")
    words = found.sheet.words
    said = Prediction(0, len(words), "add_task", 1.0, "command", (Value("due", 0, 1),), 1.0, {})
    room = _room(found)
    assert draft(room, said) is None


def test_the_readers_probability_bounds_what_runs_unasked():
    strict = Trust(write=1.01)
    decider = Decider.installed()
    decider.pack("tasks").languages.trust = strict
    decisions = run("optician thu 2pm", decider).answer.decisions
    assert [type(one) for one in decisions] == [Confirm]


def test_without_weights_a_change_is_asked_about_where_words_are_left_over():
    decider = Decider.installed()
    decider.pack("tasks").languages.__dict__["reader"] = None
    plain = run("add a task to paint the fence", decider)
    assert plain.verdict is not None
    assert plain.verdict.agreement == "no reader"
    assert [type(one) for one in plain.answer.decisions] == [Call]
    odd = run("zyxx qwopp: add paint the fence to my list", decider)
    assert not any(isinstance(one, Call) for one in odd.answer.decisions)


def test_the_same_message_gives_the_same_probabilities_in_a_fresh_process():
    first, again = (
        verdict("gym tomorrow at 6pm"),
        Decider.installed().run(Case(message="gym tomorrow at 6pm", now=NOW, entities=LIST)).verdict,
    )
    assert again is not None
    assert first.predictions == again.predictions


def _room(found):
    voice = Voice(found.grammar, found.scene.things)
    return Room(found.grammar, found.sheet, found.scene, NOW, voice, Thresholds(), None, (0, len(found.sheet.words)))


def test_a_draft_holds_what_the_deterministic_steps_made_of_the_words():
    found = verdict("optician on friday at 3pm")
    (made,) = found.drafts
    assert isinstance(made, Draft)
    assert not any(isinstance(one, Clarify) for one in made.decisions)


@pytest.mark.parametrize("message", ["remind me to water ferns on friday", "add renew the passport"])
def test_an_add_of_what_is_open_is_asked_about_whatever_its_articles(message):
    (one,) = run(message).answer.decisions
    assert isinstance(one, Confirm)


def test_a_bare_length_after_talk_of_a_reminder_moves_nothing_unasked():
    turns = (
        Turn(role="user", content="quando mi avvisi della dichiarazione?"),
        Turn(role="assistant", content="1. Dichiarazione, promemoria 10 minuti prima", shown=("t1",)),
    )
    things = tasks("Dichiarazione")
    answer = BOTH.decide(Case(message="meglio mezz'ora", now=NOW, entities=things, history=turns))
    assert not any(isinstance(one, Call) and "new_due" in one.arguments for one in answer.decisions)


def test_a_name_of_a_list_alone_moves_nothing_that_is_not_named():
    turns = (
        Turn(role="user", content="show my tasks about the ferns"),
        Turn(role="assistant", content="1. Water the ferns", shown=(LIST[0].id,)),
    )
    answer = BOTH.decide(Case(message="rooibos to groceries", now=NOW, entities=LIST, history=turns))
    assert not any(isinstance(one, (Call, Confirm)) and one.tool == "update_task" for one in answer.decisions)


DONE = (*tasks("Call the plumber"), task("t2", "Reserve the hall for the jumble sale", status="completed"))
SAID_DONE = (user("the hall is reserved"), assistant("Well done!", "t2"))


@pytest.mark.parametrize(
    ("message", "title"),
    [("jumble sale on saturday at 10am", "jumble sale"), ("dinner with Olaf at 7pm", "dinner with Olaf")],
)
def test_a_new_thing_with_a_date_is_no_new_date_for_what_was_just_done(message, title):
    (decision,) = BOTH.decide(Case(message=message, now=NOW, entities=DONE, history=SAID_DONE)).decisions
    assert (decision.tool, decision.arguments["title"]) == ("add_task", title)


def test_a_new_date_for_what_is_done_is_asked_about_unless_it_is_named():
    case = Case(message="move it to friday", now=NOW, entities=DONE, history=SAID_DONE)
    (decision,) = BOTH.decide(case).decisions
    assert isinstance(decision, Confirm)
    named = Case(
        message="move reserve the hall for the jumble sale to friday", now=NOW, entities=DONE, history=SAID_DONE
    )
    (decision,) = BOTH.decide(named).decisions
    assert isinstance(decision, Call)


@pytest.mark.parametrize(
    ("message", "tool"),
    [
        ("school fair on the 20th, remind me the day before", "add_task"),
        ("my sister's visit is on the 20th, remind me a day before", None),  # of which thing is asked
    ],
)
def test_a_reminder_after_another_date_is_not_for_the_thing_of_the_turn_before(message, tool):
    history = (user("call the plumber tomorrow at 5"), assistant("Done.", "t2"))
    things = (*tasks("Water the ferns"), task("t2", "Call the plumber", due="2026-03-11T17:00"))
    (decision,) = BOTH.decide(Case(message=message, now=NOW, entities=things, history=history)).decisions
    assert isinstance(decision, Confirm)
    assert tool in (None, decision.tool)


def test_two_lead_times_for_two_things_are_asked_about_together():
    things = (
        task("t1", "History essay", due="2026-03-20T12:00"),
        task("t2", "Gig at the Lamb", due="2026-03-22T20:00"),
    )
    message = "remind me a day before the essay and 2 hours before the gig"
    decisions = BOTH.decide(Case(message=message, now=NOW, entities=things)).decisions
    assert [type(one) for one in decisions] == [Confirm, Confirm]
    expected = [("t1", "P1D"), ("t2", "PT2H")]
    assert [(one.arguments["task_identifier"], one.arguments["new_remind"]) for one in decisions] == expected


@pytest.mark.parametrize(
    "message",
    ["remind me to shut the barn when the storm comes", "ricordami di chiudere il fienile quando il vento si alza"],
)
def test_a_reminder_at_an_event_is_asked_about(message):
    (decision,) = BOTH.decide(Case(message=message, now=NOW)).decisions
    assert isinstance(decision, Confirm)


def test_a_new_thing_without_a_date_is_asked_about_beside_a_date_that_is_left_over():
    message = "the van is booked in for its service on the 27th at 8, remind me the evening before"
    (decision,) = BOTH.decide(Case(message=message, now=NOW)).decisions
    assert isinstance(decision, Confirm)


@pytest.mark.parametrize(
    ("message", "title", "due"),
    [
        ("please can you put in chess club this sunday 10.30 am thank you", "chess club", "2026-03-15T10:30"),
        ("oh and reading group thursday 3pm in room 4.12", "reading group", "2026-03-12T15:00"),
        ("add mix down track 3, low priority", "mix down track 3", None),
    ],
)
def test_a_likely_new_thing_is_asked_about_rather_than_refused(message, title, due):
    (decision,) = run(message).answer.decisions
    assert isinstance(decision, (Call, Confirm))
    assert (decision.tool, decision.arguments["title"]) == ("add_task", title)
    assert decision.arguments.get("due") == due


@pytest.mark.parametrize("message", ["no wait it's 9.30", "make that 9.30"])
def test_a_dotted_time_corrects_the_time_that_a_thing_has(message):
    things = (*LIST, task("t9", "Haircut", due="2026-03-13T10:00"))
    history = (user("haircut on friday at 10"), assistant('I\'ve added "Haircut".', "t9"))
    (decision,) = BOTH.decide(Case(message=message, now=NOW, entities=things, history=history)).decisions
    assert isinstance(decision, (Call, Confirm))
    assert decision.arguments == {"task_identifier": "t9", "new_due": "2026-03-13T09:30"}


def test_a_change_that_is_already_so_is_not_drafted():
    things = (*LIST, task("t9", "Haircut", due="2026-03-13"))
    found = run("haircut is on friday", things=things)
    words = found.sheet.words
    said = (Value("task", 0, 1), Value("new_due", len(words) - 1, len(words)))
    assert draft(_room(found), Prediction(0, len(words), "update_task", 1.0, "statement", said, 1.0, {})) is None


def test_what_is_gone_is_no_longer_spoken_of():
    history = (user("haircut on friday at 10"), assistant('I\'ve added "Haircut".', "t9"))
    decisions = BOTH.decide(Case(message="no, make it monday", now=NOW, entities=LIST, history=history)).decisions
    assert "t9" not in str(decisions)


@pytest.mark.parametrize("message", ["delete the plumber call, cousin's on it", "drop renew passport, lost interest"])
def test_a_remark_after_a_comma_is_no_second_thing(message):
    (decision,) = run(message).answer.decisions
    assert isinstance(decision, Confirm)
    assert decision.tool == "delete_task"


def test_a_second_thing_that_is_not_there_is_said_to_be_missing():
    decisions = run("delete the plumber call and the tent").answer.decisions
    assert [type(one) for one in decisions] == [Confirm, Clarify]


def test_a_thing_that_is_named_beside_the_values_is_meant_and_not_the_one_of_the_turn_before():
    things = (task("t1", "Colloquio con Gino", due="2026-03-16T11:00"), task("t2", "Comprare la colla"))
    history = (user("aggiungi comprare la colla"), assistant("Fatto.", "t2"))
    case = Case(message="Gino mi ha spostato il colloquio a mercoledì", now=NOW, entities=things, history=history)
    (decision,) = BOTH.decide(case).decisions
    assert decision.arguments == {"task_identifier": "t1", "new_due": "2026-03-11T11:00"}


@pytest.mark.parametrize(
    "message", ["veranda di via Bixio spostata alle 10:30", "perizia in via Bixio spostata a venerdì"]
)
def test_a_thing_that_is_moved_is_not_done(message):
    things = (task("t1", "Veranda di via Bixio", due="2026-03-10T09:00"), task("t2", "Perizia in via Bixio"))
    decisions = BOTH.decide(Case(message=message, now=NOW, entities=things)).decisions
    assert all(one.tool == "update_task" for one in decisions)


def test_a_word_for_one_thing_more_is_no_part_of_its_title():
    (decision,) = run("also stamps on friday").answer.decisions
    assert decision.arguments["title"] == "stamps"


LISTED = tuple(
    Entity({**one.as_dict(), "list": name})
    for one, name in zip(tasks("Nails", "Chiodi"), ("Jobs", "Cantiere"), strict=True)
)


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("metti anche i tasselli nella lista cantiere", "i tasselli"),
        ("also add two hinges to the jobs list", "two hinges"),
    ],
)
def test_also_is_no_part_of_a_title(message, title):
    (decision,) = run(message, things=LISTED).answer.decisions
    assert decision.arguments["title"] == title


def test_a_new_thing_is_on_the_list_that_is_named_or_asked_about():
    (decision,) = run("boiler check 8 Mill Rd thurs 1pm jobs list", things=LISTED).answer.decisions
    assert isinstance(decision, Confirm) or decision.arguments["list"] == "Jobs"


def test_a_remark_with_a_date_moves_nothing_unasked():
    things = (task("t1", "Parents' evening", due="2026-03-12T20:45"), *LIST)
    history = (user("note on the parents' evening: copy the forms"), assistant("Noted.", "t1"))
    for message in (
        "tomorrow the clocks change and half of them will be late",
        "domani cambia l'ora e metà degli invitati arriverà in ritardo come sempre",
    ):
        decisions = BOTH.decide(Case(message=message, now=NOW, entities=things, history=history)).decisions
        assert not any(isinstance(one, Call) and one.tool != "list_tasks" for one in decisions)


def test_a_thing_that_is_only_named_beside_the_values_is_asked_about():
    things = (task("t1", "Interview with Gino", due="2026-03-16T11:00"), task("t2", "Buy glue"))
    found = run("gino put the interview off to wednesday", things=things)
    words = found.sheet.words
    said = Prediction(0, len(words), "update_task", 1.0, "statement", (Value("new_due", 6, 7),), 1.0, {})
    made = draft(_room(found), said)
    assert made is not None
    (decision,) = made.decisions
    assert isinstance(decision, Confirm)
    assert decision.arguments == {"task_identifier": "t1", "new_due": "2026-03-11T11:00"}


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("buy mia a bday present by saturday", "buy mia a bday present"),
        ("book leave for easter by end of month", "book leave for easter"),
    ],
)
def test_words_beside_a_date_name_a_new_thing_where_the_reader_marks_no_name(message, title):
    (one,) = run(message, things=()).answer.decisions
    assert isinstance(one, Confirm)
    assert (one.tool, one.arguments["title"]) == ("add_task", title)
    assert one.arguments["due"]


@pytest.mark.parametrize("message", ["remind me friday at 7am", "ricordami venerdì alle 7"])
def test_a_command_beside_a_date_is_no_name(message):
    (one,) = run(message, things=()).answer.decisions
    assert isinstance(one, Clarify)
    assert one.missing == ("title",)


def test_a_date_among_the_words_that_name_a_thing_is_asked_about():
    sheets = (task("t1", "Print pew sheets", due="2026-03-13"),)
    (one,) = run("Please make the pew sheets a Thursday job from now on, every week", things=sheets).answer.decisions
    assert isinstance(one, Confirm)
    (one,) = run("move the friday pew sheets to monday", things=sheets).answer.decisions
    assert isinstance(one, Call), "the thing is due on a Friday"


def test_what_the_reader_surely_completes_is_not_deleted():
    jobs = tasks("book pitch for saturday", "wash bibs")
    decisions = run("bibs washed and pitch booked, on a roll", things=jobs).answer.decisions
    assert [(one.tool, one.arguments["task_identifier"]) for one in decisions] == [
        ("complete_task", "t2"),
        ("complete_task", "t1"),
    ]
    both = run("get rid of the bibs and the pitch", things=jobs).answer.decisions
    assert {one.tool for one in both} == {"delete_task"}


def test_a_new_name_is_not_taken_for_a_list_that_does_not_exist():
    (one,) = run("rinomina Yoga in Pilates", things=tasks("Yoga")).answer.decisions
    assert isinstance(one, (Call, Confirm))
    assert one.arguments == {"task_identifier": "t1", "new_title": "Pilates"}


def test_things_that_are_put_on_a_list_are_not_added_once_more_as_one():
    decisions = run("mi serve il latte e i pannolini, mettili nella lista spesa", things=()).answer.decisions
    assert [one.arguments["title"] for one in decisions] == ["il latte", "i pannolini"]
    assert {one.arguments["list"] for one in decisions} == {"spesa"}


def test_a_message_is_in_the_language_of_its_own_words():
    case = Case(message="tagliando auto 3 febbraio 8:30", now=NOW, lang="en")
    answer = BOTH.run(case).answer
    (one,) = answer.decisions
    assert answer.lang == "it"
    assert isinstance(one, (Call, Confirm))
    assert (one.arguments["title"], one.arguments["due"]) == ("tagliando auto", "2027-02-03T08:30")


def test_a_date_that_cannot_be_read_is_asked_for_and_is_no_new_name():
    things = (task("t1", "Dentist", due="2026-03-13T16:20"), *LIST[1:])
    (one,) = run("change the dentist to the week after same day same time", things=things).answer.decisions
    assert isinstance(one, Clarify)
    assert (one.tool, one.arguments, list(one.missing)) == ("update_task", {"task_identifier": "t1"}, ["new_due"])


@pytest.mark.parametrize(
    ("message", "title", "lang"),
    [
        ("All'idraulico ho telefonato poco fa.", "Telefonare all'idraulico per la canonica", "it"),
        ("Platt's paid up at last so no more chasing him", "Chase Mr Platt for payment", "en"),
    ],
)
def test_a_report_is_about_the_one_thing_that_it_names(message, title, lang):
    things = tasks(title, "Ring Jean")
    (one,) = BOTH.decide(Case(message=message, now=NOW, entities=things, lang=lang)).decisions
    assert isinstance(one, Confirm)
    assert (one.tool, one.arguments) == ("complete_task", {"task_identifier": "t1"})


def test_a_polite_question_that_names_a_new_task_and_its_date_is_asked_about():
    (one,) = run("is it possible to add for the end of this month: report the water meter").answer.decisions
    assert isinstance(one, Confirm)
    assert one.arguments == {"title": "report the water meter", "due": "2026-03-31"}


def test_it_is_the_thing_that_was_named_before():
    things = (task("t1", "Rinnovo CQC", due="2026-06-15"), *LIST[1:])
    message = "metti che il rinnovo della CQC è urgente e spostalo al dieci giugno"
    (one,) = BOTH.decide(Case(message=message, now=NOW, entities=things, lang="it")).decisions
    assert isinstance(one, (Call, Confirm))
    assert one.arguments == {"task_identifier": "t1", "new_priority": "high", "new_due": "2026-06-10"}


def test_a_date_that_a_task_already_has_is_not_asked_for():
    things = (task("t1", "Dentist", due="2026-03-16"), *LIST[1:])
    (one,) = run("the dentist stays on monday", things=things).answer.decisions
    assert isinstance(one, Nothing)


def test_of_several_new_things_all_are_asked_about_or_none():
    things = (task("t1", "Flour", list="Suppliers"), *LIST[1:])
    found = run("add 5kg butter and duck legs to teh suppliers list", things=things).answer.decisions
    assert {type(one) for one in found} == {Confirm}


def test_a_new_name_with_a_number_is_not_taken_for_a_date():
    things = (task("t1", "Lungo 32 km", due="2026-03-15T07:00"), *LIST[1:])
    message = "il lungo diventa di 35: cambia il titolo in Lungo 35 km"
    (one,) = BOTH.decide(Case(message=message, now=NOW, entities=things, lang="it")).decisions
    assert isinstance(one, (Call, Confirm))
    assert one.arguments == {"task_identifier": "t1", "new_title": "Lungo 35 km"}


@pytest.mark.parametrize("message", ["I finished my lunch", "finish task", "delete all tasks"])
def test_a_verb_or_the_word_task_alone_names_nothing(message):
    found = run(message, things=tasks("Finish the report", "Old task", "Ring Jean")).answer.decisions
    assert not any(isinstance(one, (Call, Confirm)) for one in found)


def test_a_word_of_two_names_is_asked_about():
    things = (task("t1", "buy bread"), task("t2", "buy bread rolls"))
    assert say("complete the bread task", things) == ["clarify ambiguous t1 t2"]
    assert say("complete buy bread", things) == ["call complete_task t1"]
