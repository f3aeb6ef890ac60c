"""What a yes and a no are, in both languages: a yes, which runs something, is strict; a no runs nothing."""

from __future__ import annotations

import pytest

from talk import asked, say, tasks

EN = tasks("Finish the report", "Call the bank", "Call Anna", "Buy milk")
IT = tasks("Finire la relazione", "Chiamare la banca", "Chiamare Anna", "Comprare il latte")
DELETE = asked("delete_task", "t1")
DELETED = "call delete_task t1"
AGAIN = ["confirm delete_task t1"]


def in_english(message):
    return say(message, EN, pending=DELETE)


def in_italian(message):
    return say(message, IT, pending=DELETE, lang="it")


@pytest.mark.parametrize(
    "message",
    [
        "sure thing",
        "by all means, go ahead",
        "yeah mate",
        "yes ma'am",
        "yes, right away",
        "perfect, do it",
        "I am positive",
        "hell yeah",
        "ok cool",
        "ok then",
        "great, yes",
        "well yes",
        "that sounds fine to me",
        "you have my permission",
        "please do that for me",
        "sure, no problem",
        "no doubt",
        "okie dokie",
        "go on then",
        "yes I'd like that",
        "yep yep, kill it",
        "okay, you can remove it",
        "yes, defintely",
        "the answer is yes",
    ],
)
def test_an_english_yes(message):
    assert in_english(message) == [DELETED]


@pytest.mark.parametrize(
    "message",
    [
        "certo che sì",
        "d'accordo, procedi pure",
        "sì, subito",
        "sì amico",
        "sì grazie mille",
        "ma certo, eliminala",
        "direi proprio di sì",
        "questo va bene",
        "per me va bene",
        "senza dubbio",
        "fallo e basta",
        "sì, per favore",
        "vai tranquillo, cancella",
        "sono certa",
        "mi sembra giusto",
    ],
)
def test_an_italian_yes(message):
    assert in_italian(message) == [DELETED]


@pytest.mark.parametrize(
    "message",
    [
        "yes but not now",
        "yes… wait",
        "yes, hold on",
        "yeah nah",
        "yeah, right",
        "yes, no, I don't know",
        "yes I can't",
        "yes if it's overdue",
        "yes unless Anna needs it",
        "ok after lunch",
        "ok tomorrow",
        "sure, but tomorrow",
        "go ahead and keep it",
        "go home",
        "good question",
        "good morning",
        "perfect timing",
        "I'm fine",
        "it's fine as it is",
        "it's fine, keep it",
        "ok, let me check first",
        "are you sure?",
        "he said yes",
        "I never said yes",
        "yes to the other",
        "yes, both of them",
        "yes I mean no",
        "no wait, yes",
        "dunno, yes",
        "not ok",
        "whatever",
        "I think so",
        "I guess so",
        "up to you",
        "oh great",
        "awesome",
        "thank you very much",
        "that's all",
        "ok for now",
        "yes 🤔",
        "yes 🚫",
        "correct, don't delete it",
        "exactly, don't",
        "why not keep it",
        "you may not",
        "you can't be serious",
        "let's do it tomorrow",
        "no problem, leave it",
        "no doubt it should stay",
        "it's urgent",
        "I'm uncertain",
        "yes, when the report is done",
        "it's cool, thanks",
        "do it again please",
        "would you confirm that",
        "I want you to remove the item from the list",
        "I would like to thank you",
        "that's unconfirmed",
        "enough, don't say any more",
    ],
)
def test_what_is_less_than_an_english_yes_runs_nothing(message):
    assert not any(line.startswith("call") for line in in_english(message))


@pytest.mark.parametrize(
    "message",
    [
        "sì ma aspetta",
        "sì però non adesso",
        "sì dopo",
        "sì domani",
        "sì... anzi no",
        "forse sì",
        "credo di sì",
        "quasi quasi sì",
        "mah, sì",
        "boh, fai tu",
        "sì, come no",
        "sì sì, come no",
        "va bene così",
        "va bene, lasciala",
        "ok ma tienila",
        "sì, se non serve",
        "sì, a meno che non serva a Luca",
        "sì ma solo dopo le cinque",
        "sì, tutte",
        "sì, l'altra",
        "certo che no",
        "tranquillo",
        "ma dai",
        "fai come vuoi",
        "fai pure a meno",
        "vai piano",
        "vai via",
        "fallo domani",
        "facciamo così, tienila",
        "puoi tenerla",
        "può darsi",
        "sei sicuro?",
        "mia moglie dice di sì",
        "non va bene",
        "non è giusto",
        "sono certo che serva",
        "sono incerto",
        "sì, quando ho finito",
        "puoi annullarlo",
        "sconfermo",
        "senza dubbio va tenuta",
        "grazie mille",
        "fantastico",
        "ok per ora",
        "fine",
        "ok basta",
    ],
)
def test_what_is_less_than_an_italian_yes_runs_nothing(message):
    assert not any(line.startswith("call") for line in in_italian(message))


@pytest.mark.parametrize(
    "message",
    [
        "I'd rather you didn't",
        "that won't be necessary",
        "call it off",
        "let's forget about this",
        "not a chance",
        "don't you dare",
        "no, I was only joking",
        "the answer is no",
        "I'd better keep that",
        "I still need it",
        "no, it's fine",
        "no I'm good",
        "no later",
        "no, it's for Luca",
        "i don't want it",
        "I decline",
        "I reject that",
        "go away",
        "just cancel",
        "please stop talking",
    ],
)
def test_an_english_no(message):
    assert in_english(message) == ["none cancelled"]


@pytest.mark.parametrize(
    "message",
    [
        "per carità no",
        "non credo proprio",
        "meglio di no, grazie",
        "no dai, mi serve ancora",
        "ora no, grazie",
        "lasciamo perdere",
        "lascia tutto com'è",
        "neanche per idea",
        "non farlo più",
        "rifiutalo",
        "annulla e basta",
        "lo respingo",
        "annulla l'operazione",
        "esci",
        "fa' silenzio",
        "la risposta è no",
    ],
)
def test_an_italian_no(message):
    assert in_italian(message) == ["none cancelled"]


def test_a_command_that_is_to_come_first_comes_alone():
    assert in_english("yes, but first show me the list") == ["call list_tasks"]
    assert in_italian("va bene, ma prima mostrami la lista") == ["call list_tasks"]


def test_ok_before_a_command_may_be_no_more_than_a_beginning():
    assert in_english("ok, add buy bread") == ["call add_task title=buy bread"]
    assert in_english("yes, add buy bread") == [DELETED, "call add_task title=buy bread"]
    assert in_english("ok, and show me the list") == [DELETED, "call list_tasks"]


def test_a_refusal_that_resembles_a_name_is_a_refusal():
    entities = tasks("Finish the report", "Water the plants")
    assert say("no later", entities, pending=DELETE) == ["none cancelled"]


@pytest.mark.parametrize(
    ("message", "lang", "line"),
    [
        ("sì, eliminala", "en", DELETED),
        ("va bene, procedi", "en", DELETED),
        ("yes please", "it", DELETED),
        ("annulla", "en", "none cancelled"),
        ("no way", "it", "none cancelled"),
    ],
)
def test_an_answer_may_be_in_another_language_than_the_question(message, lang, line):
    assert say(message, EN if lang == "en" else IT, pending=DELETE, lang=lang) == [line]


def test_an_italian_end_is_no_english_fine():
    assert in_english("fine") == [DELETED]
    assert in_italian("fine") == ["none cancelled"]


def test_a_yes_with_a_value_for_what_is_not_there_yet_is_the_call_with_it():
    pending = asked("add_task", title="Buy bread")
    assert say("sure, and make it high priority", EN, pending=pending) == [
        "call add_task title=Buy bread priority=high"
    ]


def test_a_value_alone_neither_deletes_nor_moves():
    assert in_italian("fallo domani") == ["none out_of_scope"]
    assert in_english("it's urgent") == ["none out_of_scope"]
