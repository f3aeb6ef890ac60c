"""Defines a language: the shape of its YAML files.

Nothing here knows a word of any language; `languages/load.py` fills it.
"""

from __future__ import annotations

import msgspec

from sayso.engine.dates.dates import DateSpec
from sayso.engine.values.numbers import NumberSpec
from sayso.engine.values.spec import RepeatSpec

Phrases = tuple[str, ...]


class Inflection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a form is made: the first ending that fits is replaced by each of the new ones."""

    endings: tuple[tuple[str, tuple[str, ...]], ...]
    irregular: dict[str, tuple[str, ...]] = {}


class Stemming(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How words are cut down for comparing: endings to drop, longest first, and words with a stem of their own."""

    endings: tuple[tuple[str, str], ...] = ()
    shortest: int = 3
    vowels: str = "aeiouy"  # a stem holds one: "strings" is not cut to "str"
    irregular: dict[str, str] = {}


class Moods(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a clause begins, by what it does. Each is a list of patterns of words."""

    request: Phrases  # "could you": what follows is a command
    plan: Phrases  # "I need to": what follows is a plan of one's own
    question: Phrases  # "did I": asks, and never writes
    hypothetical: Phrases  # "if I": talks about what might be
    comment: Phrases  # "it is": a remark that belongs to no command
    own: Phrases = ()  # "I've got": says what one has, before "…, add it"
    indirect: Phrases = ()  # "tell me": the question that follows is asked


class Classes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The closed classes of words that the engine itself asks for."""

    article: Phrases
    possessive: Phrases
    filler: Phrases  # "by the way": means nothing to us
    polite: Phrases  # "please", "thanks"
    negation: Phrases
    function: Phrases  # little words that may be passed over at little cost
    be: Phrases
    it: Phrases  # points at one thing in focus
    them: Phrases  # points at several
    other: Phrases  # "the other one"
    dummy: Phrases  # "one", "thing": stands for a noun
    each: Phrases  # "both", "those two": one decision for each
    all: Phrases  # "all", "every": more than one may take
    link: Phrases  # "and", "then": joins clauses
    wh: Phrases  # "what", "how": begins a question
    third: Phrases  # "they": somebody else
    therefore: Phrases  # "so": joins clauses only where a command follows
    reported: Phrases  # "told me to": what follows is somebody else's wish
    number_sign: Phrases  # "number", "#"
    of: Phrases
    yes: Phrases
    no: Phrases
    cancel: Phrases  # "never mind"
    correction: Phrases  # "I meant", "actually"
    tells: Phrases = ()  # "told the": somebody else is told what to do
    relay: Phrases = ()  # "tell": somebody is to be told what to do, and then "to"
    tells_to: Phrases = ()  # what stands before that: "to"
    condition: Phrases = ()  # "if": what is told after it is not so yet
    thanks: Phrases = ()  # "thank you": polite after what is asked for, and part of what it begins
    doubt: Phrases = ()  # "maybe"
    unreal: Phrases = ()  # "almost", "should have": it was not done
    ought: Phrases = ()  # before a participle it says what is to be done: Italian "va pagato"
    first: Phrases = ()  # "I", "we"
    choose: Phrases = ()  # "I'll take": before the option that is picked
    abbreviation: Phrases = ()  # "mrs": its full stop ends no sentence
    hold: Phrases = ()  # "wait": takes back the yes before it
    hesitation: Phrases = ()  # "um": no word at all
    address: Phrases = ()  # "mate": whom one speaks to
    foremost: Phrases = ()  # "first": a command that goes before anything else
    emphasis: Phrases = ()  # "great", "right away": beside a yes it changes nothing, alone it is none
    top: Phrases = ()  # "at the top": the first of a list
    bottom: Phrases = ()  # "at the bottom": the last of a list
    instead: Phrases = ()
    greeting: Phrases = ()
    farewell: Phrases = ()  # "good night": a greeting that ends a conversation
    well_being: Phrases = ()  # "how are you": a greeting that asks
    quoting: Phrases = ()  # "the recipe says:": what follows are somebody else's words
    assistant: Phrases = ()  # "hey siri": what follows is said to another machine
    repair: Phrases = ()  # "no wait", "I mean": what follows replaces what was said just before
    repair_weak: Phrases = ()  # "sorry": the same, but only between pauses
    repair_value: Phrases = ()  # "make that": what follows replaces a value, and nothing else
    retract: Phrases = ()  # "don't", "never mind": takes back the command before it
    unsaid: Phrases = ()  # "it isn't", "I wish": takes back what was told before it
    closing: Phrases = ()  # "that's all": what follows is said beside the request
    reason: Phrases = ()  # "since": after what is wanted, why; or part of a name
    relative: Phrases = ()  # Italian "che": the same of what is done with a thing
    because: Phrases = ()  # "because", "otherwise": says why, and is part of nothing
    why: Phrases = ()  # says why, unless it is asked: Italian "perché"
    wonder: Phrases = ()  # "find out": what asks why
    sentence: Phrases = ()  # "it is": amid a text, a sentence of its own begins
    governs: Phrases = ()  # "check", "that": after it, a sentence is part of the text
    unneeded: Phrases = ()  # "no longer needed": a reason to be rid of a thing, and else it takes the command back
    both: Phrases = ()  # "both": two things follow, each named
    paired: Phrases = ()  # what parts them, beside "and": Italian "sia … che"
    shall: Phrases = ()  # "I shall": said after "that", before what is to be done
    intends: Phrases = ()  # "I might", "I want to": what the speaker would do, and has not done
    particle: Phrases = ()  # "at": after a participle it belongs to the verb ("have it looked at")
    formerly: Phrases = ()  # "was": what is said of a thing held once
    specifies: Phrases = ()  # "from": a date after it says which thing is meant, and not when
    item: Phrases = ()  # "one is", "the other is": before each of several texts
    rather: Phrases = ()  # "instead of": what follows is what is not wanted
    further: Phrases = ()  # "oh and", "also": after a pause, one more thing comes to mind
    rest: Phrases = ()  # "the rest": all that is left
    others_word: Phrases = ()  # "my wife's": somebody else's things


class LanguageSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """words: everything about a language but numbers and dates."""

    language: str
    name: str
    contractions: dict[str, tuple[str, ...]] = {}
    suffixes: tuple[str, ...] = ()  # split off the end of a word: "'s"
    prefixes: tuple[str, ...] = ()  # split off the beginning: "l'"
    clitics: dict[str, str] = {}  # split off the end of a known word only
    forms: dict[str, Inflection] = {}
    told_asks: bool = False  # a question may be put as a statement, and only the tone tells: "la luce è accesa"
    plurals: tuple[tuple[str, str], ...] = ()  # endings for several, with those for one: "lights", "light"
    past: str = ""  # past forms that no rule makes: "bought"
    stems: Stemming = Stemming()
    synonyms: dict[str, Phrases] = {}  # by a word, the others that are compared as if they were it: "mom", "mum"
    classes: Classes
    moods: Moods
    common: str = ""  # frequent words, which are never a slip of the finger for another


class Language(msgspec.Struct, frozen=True):
    """A language, whole."""

    words: LanguageSpec
    numbers: NumberSpec
    dates: DateSpec
    repeats: RepeatSpec | None = None  # without it repeats and lead times are not read

    @property
    def tag(self) -> str:
        return self.words.language
