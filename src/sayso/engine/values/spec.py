"""Defines the shape of dates.yaml and repeats.yaml.

A new language is new YAML files of this shape and nothing else.
"""

from __future__ import annotations

import msgspec

from sayso.engine.values.when import Part, Unit


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
    short_units: dict[str, Unit] = {}  # after a figure, where it can be nothing else: "in 5m", "1h30m"
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
