"""The shapes of numbers.yaml, dates.yaml and repeats.yaml of a language."""

from __future__ import annotations

from typing import Literal

import msgspec

Part = Literal["morning", "afternoon", "evening", "night"]
Unit = Literal["minute", "hour", "day", "week", "fortnight", "month", "quarter", "year"]


class NumberSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of numbers.yaml."""

    cardinals: dict[str, int]  # up to 99, as far as they do not follow from tens and units
    multipliers: dict[str, int]  # hundred and above
    ordinals: dict[str, int]  # "last" is -1, "second to last" -2
    phrases: dict[str, float] = {}  # "half a dozen"
    fractions: dict[str, float] = {}  # after a whole number: "and a half"
    ones: tuple[str, ...] = ()  # 1 before a multiplier only: "a hundred"
    joiners: tuple[str, ...] = ()  # between hundreds and the rest: "two hundred and five"
    negatives: tuple[str, ...] = ()
    points: tuple[str, ...] = ()  # the decimal point when spoken
    thousands_mark: str = ","  # "1,500" is 1500 where this is a comma, 1.5 elsewhere
    glued: bool = False  # number words are written as one
    ordinal_marks: tuple[str, ...] = ()  # after a figure: "3rd", "3°"
    ordinal_endings: tuple[str, ...] = ()  # after a number word: "vent-esimo"
    ordinal_vowels: tuple[str, ...] = ()  # what the number word may have lost before the ending


class DateSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of dates.yaml. Entries may be phrases of several words."""

    weekdays: tuple[tuple[str, ...], ...]  # from Monday
    months: tuple[tuple[str, ...], ...]
    units: dict[Unit, tuple[str, ...]]
    day_words: dict[str, int]  # today is 0
    parts: dict[Part, tuple[str, ...]]
    part_words: dict[str, tuple[int, Part]]  # "tonight": [0, night]
    rules: dict[str, dict[str, tuple[str, ...]]]  # rung → meaning → patterns, lowest rung first
    words: dict[str, tuple[str, ...]] = {}  # classes that rules refer to as <name>
    leads: tuple[str, ...] = ()  # prepositions that introduce a date
    counts: dict[str, float] = {}  # what counts like a number before a unit: "a", "a few"
    fractions: dict[str, float] = {}  # of an hour or another unit
    month_days: dict[str, int] = {}  # days of the month said in another way: "primo"
    named_times: dict[str, int] = {}  # noon is 12, midnight 0, "all'una" 1
    meridiem: dict[str, tuple[str, ...]] = {}  # am, pm
    meridiem_marks: dict[str, tuple[str, ...]] = {}  # what stands for them after minutes only: "3:18a"
    weekday_plurals: tuple[tuple[str, ...], ...] = ()  # from Monday: "two sundays from now"
    quarters: dict[str, int] = {}  # "q3"
    holidays: dict[str, tuple[int, ...]] = {}  # month, day; or days from Easter; or month, weekday, which, days after
    short_units: dict[str, Unit] = {}  # after a figure, if it can only be a unit: "in 5m", "1h30m"
    endings: tuple[str, ...] = ()  # glued to a figure or a number: "7ish"
    doubtful: tuple[str, ...] = ()  # dates only with a preposition or more beside them
    names: tuple[str, ...] = ()  # those that stay unsure even then, being names as well
    pointers: tuple[str, ...] = ()  # numbers that also stand for a thing: "the red one"
    follows: tuple[str, ...] = ()  # words that may follow a bare figure that is a time
    elisions: tuple[str, ...] = ()  # heads that end in an apostrophe: "dell'"
    possessives: tuple[str, ...] = ()  # "tomorrow's"
    spellings: dict[str, str] = {}  # short for: "eom": "end of the month"
    habits: dict[str, int] = {}


class RepeatSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of repeats.yaml. Rules may use the words, slots and rungs of dates.yaml.

    Five rungs are required: `repeat` (read anywhere), `exact` (read if all words must be a repeat), `hint` (words about
    a repeat, readable or not), `lead` and `exact_lead` (the same for lead times).
    """

    signs: tuple[str, ...]  # a message with none of these words contains no repeat
    lead_signs: tuple[str, ...]  # a message with none of these words contains no lead time
    rules: dict[str, dict[str, tuple[str, ...]]]  # rung → meaning → patterns, lowest rung first
    words: dict[str, tuple[str, ...]] = {}  # classes that rules refer to as <name>
    frequencies: dict[str, tuple[int, Unit]] = {}  # "fortnightly": [2, week]
    adjectives: dict[str, tuple[int, Unit]] = {}  # adjectives with the same meaning: "settimanale"
    part_frequencies: dict[Part, tuple[str, ...]] = {}  # "nightly", "mornings"
    day_sets: dict[str, tuple[int, ...]] = {}  # days from Monday as 0, after "every": "weekday"
    plural_day_sets: dict[str, tuple[int, ...]] = {}  # the same, also without "every": "weekdays"
    weekday_plurals: tuple[tuple[str, ...], ...] = ()  # from Monday, in addition to those of dates.yaml
    attributive: tuple[str, ...] = ()  # words that may qualify the next noun: "weekly report"
    follows: tuple[str, ...] = ()  # words after which they do not, in addition to those of dates.yaml
