"""Messages that name several new things: one decision for each, with the values that belong to it."""

import pytest

from sayso import Case, Decider
from sayso.engine.decide.room import Room, Thresholds
from sayso.engine.decide.wording import Voice
from sayso.engine.reader.decisions import draft, together
from sayso.engine.reader.read import Prediction, Value
from talk import NOW, tasks

DECIDER = Decider.installed(thresholds=Thresholds(reader=False))
LISTS = tasks("Oat milk")


def room_of(message: str, lang: str) -> Room:
    found = DECIDER.run(Case(message=message, now=NOW, entities=LISTS, lang=lang))
    voice = Voice(found.grammar, found.scene.things, 5)
    words = (0, len(found.sheet.words))
    return Room(found.grammar, found.sheet, found.scene, NOW, voice, Thresholds(), None, words)


def read(room: Room, marked: str) -> Prediction:
    """The prediction that marks these words of the message: "title milk | list shopping"."""
    words = [word.text for word in room.sheet.words]
    values, at = [], 0
    for part in marked.split(" | "):
        slot, *said = part.split()
        first = next(place for place in range(at, len(words)) if words[place : place + len(said)] == said)
        at = first + len(said)
        values.append(Value(slot, first, at))
    return Prediction(0, len(words), "add_task", 1.0, "command", tuple(values), 1.0, {})


def made(message: str, marked: str, lang: str = "en") -> list[dict[str, object]]:
    room = room_of(message, lang)
    found = draft(room, read(room, marked))
    assert found is not None
    return [one.arguments for one in found.decisions]


@pytest.mark.parametrize(
    ("message", "marked", "lang", "titles"),
    [
        ("salt, rice and oil to the hut list", "title salt , rice and oil | list hut", "en", ["salt", "rice", "oil"]),
        ("bulbs + tape on the shed list", "title bulbs + tape | list shed", "en", ["bulbs", "tape"]),
        ("sale, riso e olio in lista casa", "title sale , riso e olio | list casa", "it", ["sale", "riso", "olio"]),
    ],
)  # fmt: skip
def test_each_noun_is_a_thing_of_its_own_on_a_named_list(message, marked, lang, titles):
    found = made(message, marked, lang)
    assert [one["title"] for one in found] == titles
    assert len({one["list"] for one in found}) == 1


@pytest.mark.parametrize(
    ("message", "marked", "lang", "titles"),
    [
        ("buy salt and rice", "title buy salt | title rice", "en", ["buy salt and rice"]),
        ("wash the car and ring Ann", "title wash the car and ring Ann", "en", ["wash the car", "ring Ann"]),
        ("comprare sale e riso", "title comprare sale | title riso", "it", ["comprare sale e riso"]),
    ],
)
def test_without_a_list_nouns_are_one_thing_and_deeds_are_several(message, marked, lang, titles):
    assert [one["title"] for one in made(message, marked, lang)] == titles


@pytest.mark.parametrize(
    ("message", "marked", "dues"),
    [
        ("wash the car friday and ring Ann saturday",
         "title wash the car | due friday | title ring Ann | due saturday", ["2026-03-13", "2026-03-14"]),
        ("friday wash the car, saturday ring Ann",
         "due friday | title wash the car | due saturday | title ring Ann", ["2026-03-13", "2026-03-14"]),
        ("wash the car and ring Ann friday",
         "title wash the car | title ring Ann | due friday", ["2026-03-13", "2026-03-13"]),
        ("friday\n- wash the car\n- ring Ann",
         "due friday | title wash the car | title ring Ann", ["2026-03-13", "2026-03-13"]),
        ("wash the car friday\nring Ann",
         "title wash the car | due friday | title ring Ann", ["2026-03-13", None]),
    ],
)  # fmt: skip
def test_a_date_belongs_to_its_own_thing_or_to_all(message, marked, dues):
    assert [one.get("due") for one in made(message, marked)] == dues


def test_a_title_may_be_in_two_pieces():
    assert made("choir friday in the old hall", "title choir | due friday | title in the old hall") == [
        {"title": "choir in the old hall", "due": "2026-03-13"}
    ]


def test_predictions_of_new_things_in_a_row_share_what_is_said_once():
    room = room_of("salt, rice and oil to the shed list", "en")
    whole = read(room, "title salt , rice | title oil | list shed")
    first = whole._replace(values=whole.values[:1], end=3)
    second = whole._replace(values=whole.values[1:], start=3, certainty=0.5)
    (joined,) = together(room.grammar.pack, (first, second))
    assert joined.values == whole.values
    assert joined.certainty == 0.5


@pytest.mark.parametrize("said", ["sat", "tues 1845", "mon 9.20"])
def test_a_short_date_is_read_where_the_reader_says_it_is_one(said):
    (found,) = made(f"choir {said}", f"title choir | due {said}")
    assert found["due"]
