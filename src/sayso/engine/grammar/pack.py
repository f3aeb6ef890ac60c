"""Defines a pack: the tools, entities and acts of a domain, and its sentences in each language.

`Pack` is language-neutral (pack.yaml); `Phrasebook` is one language's file (en.yaml). `packs/load.py` fills both.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET

Risk = Literal["read", "write", "destructive"]
Mood = Literal["command", "plan", "question", "statement"]
Phrases = tuple[str, ...]


class Worded(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value that a word of the command gives: "remind me" with a date alone asks for a reminder on that day."""

    by: str  # the class of the words that give it
    beside: str  # the parameter that must have a date without a time
    value: Any  # the value that they give


class Param(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool's parameter: its JSON Schema, and the slot of the sentence it is read from."""

    schema: dict[str, Any]  # the JSON Schema of its value
    slot: str | None = None  # the slot of the sentence that it is read from
    default: Any = UNSET  # what the tool takes where it is not given; without one it is required
    names: dict[str, str] = {}  # how a reader's own names are called here
    also: tuple[str, ...] = ()  # other names that a caller may use for it
    implies: dict[str, Any] = {}  # arguments to add when it is given and they are not
    worded: Worded | None = None  # the value that it has where a word of the command gives it

    @property
    def required(self) -> bool:
        return self.default is UNSET


class Paging(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters by which a tool shows a list part by part."""

    start: str  # how many are passed over
    size: str  # how many are shown
    onward: dict[str, dict[str, str]] = {}  # by parameter: the value that follows a value (today → tomorrow)


class Following(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call that may be wanted after another: with some of its arguments, and others that are set."""

    tool: str  # the tool that may follow
    keep: tuple[str, ...] = ()  # the arguments of the first call that it has, too
    set: dict[str, Any] = {}  # arguments that it has besides
    part: str = ""  # one for each part of this kind that takes a value


class Tool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool of the MCP server, with its risk."""

    risk: Risk  # what it may cost: what destroys is always confirmed by a person
    description: str = ""  # a sentence for people
    intent: str = ""  # the name that other programs give it, if it is another one
    params: dict[str, Param] = {}  # its parameters, by name
    at_least_one: tuple[str, ...] = ()  # beside the required ones
    verbs: tuple[str, ...] = ()  # for one that no act asks for: the classes of the verbs that would
    inverse: dict[str, Any] | None = None  # the call that takes it back: {"tool", "set"}
    several: dict[str, str] | None = (
        None  # whether it may run for all that a description fits; what those have, unless said otherwise
    )
    paging: Paging | None = None  # how it shows a list part by part
    next: tuple[Following, ...] = ()  # what people often want after it


class PartKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a thing itself brings along, such as a machine's commands: a list in one of its fields."""

    field: str  # the field of the thing that holds the list
    name: str = "name"  # where its entries are objects: the field that names one
    valued: tuple[str, ...] = ()  # the concepts that make an entry take a value
    actions: tuple[str, ...] = ()  # the concepts that ask for something to be done, even where nothing can do it
    near: dict[str, tuple[str, ...]] = {}  # a concept that is said, and those meant by it where the thing has none
    implied: tuple[str, ...] = ()  # the concepts of an entry's name that go without saying: "defrost" starts one
    measured: tuple[str, ...] = ()  # measures that make an entry take a value; the first is any, the others differ


class Listing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a server lists the person's things: its tool, and where in the result they are."""

    tool: str  # the tool that lists them
    items: str  # the field of its result that holds them
    arguments: dict[str, Any] = {}  # the arguments that it is called with


class EntityKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the person's own things look like."""

    name: str  # the field that names it
    also: tuple[str, ...] = ()  # further fields in which a name may be found
    parts: dict[str, PartKind] = {}  # what a thing itself brings along, by kind
    listed: Listing | None = None  # how a server lists them


class Slot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place in a sentence and what may stand there."""

    # what may stand there; `repeat` is a rule ("every monday"), `lead` the time before a date ("10 minutes before"),
    # `shared` the name of a group: a value that several things share in one of their fields ("the work list")
    type: Literal["entity", "text", "date", "value", "number", "quote", "one_of", "part", "repeat", "lead", "shared"]
    # the entity's kind, the value list's name, the text slot that a quotation fills, the kind of part, the field that
    # holds the name of a group, or the date slot of which this one is the end
    of: str = ""
    longest: int = 0  # text: at most so many words; 0: any number
    verbatim: bool = False  # text: nothing is read out of it
    choices: tuple[str, ...] = ()  # one_of: the slots to try, in order
    open: bool = False  # entity: an id that is none of the known things is taken as it was said


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A speech act: what a person does by saying one of its sentences."""

    tool: str | None  # None: we understand it, and do not do it
    mood: tuple[Mood, ...] = ("command",)  # in which moods its sentences count
    set: dict[str, Any] = {}  # arguments that the act itself says
    among: dict[str, str] = {}  # only entities whose field has this value
    asks: tuple[str, ...] = ()  # parameters to ask for when nothing was given
    confidence: float = 0.97  # how sure one may be at best
    inferred: bool = False  # the wish is read between the lines
    must_link: bool = False  # means nothing unless its entity is found
    headed: bool = False  # its text begins with one of the book's heads: "new job fix the gate", not "new job is great"
    brief: bool = False  # its text is a short name and not a sentence: "team call every monday"
    by_us: bool = False  # only where we are to do it: "I want to finish the report" is the speaker's own plan
    past: Literal["", "named", "any"] = ""  # says it was done: by the verb of the entity's name, or by any verb
    backwards: bool = False  # a length of time is taken off, not added
    previous: str | None = None  # this text slot is what was said just before ("…, add that")
    each: str | None = None  # this text slot holds several texts, with a decision for each ("two things: …")
    narrows: Literal["", "narrow", "replace"] = ""  # works on the arguments of the last call of its tool
    pages: Literal["", "next", "previous", "first", "onward"] = ""  # turns the pages of the list shown last
    # the last act once more: on the other thing instead, on the other as well, on the one that is named, on one more
    again: Literal["", "other", "further", "named", "also"] = ""
    undoes: bool = False  # takes the last deed back: pointed at, a thing counts only if that was the deed
    spares: bool = False  # leaves a thing alone: what the same message asks for it before is not done
    append: tuple[str, ...] = ()  # text parameters to append to what the entity has
    clears: tuple[str, ...] = ()  # parameters set to null
    needs: tuple[str, ...] = ()  # slots without which it is not this act
    after: tuple[str, ...] = ()  # it counts only right after one of these tools was called, or is asked about
    # for an act without a tool: why nothing is done
    reason: Literal["out_of_scope", "smalltalk", "unsupported"] = "unsupported"
    part: str = ""  # it is about a part of a thing, as the words name both: no sentences needed
    concepts: tuple[str, ...] = ()  # or about these concepts of a thing


class Pack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """pack.yaml."""

    pack: str  # its name, as cases give it: the same as the folder's
    entities: dict[str, EntityKind]  # the person's own things, by kind
    tools: dict[str, Tool]  # by name
    slots: dict[str, Slot]  # the places in a sentence, by name
    acts: dict[str, Act]  # what a person does by saying something, by name
    reader: bool = False  # a learned reader is a second witness; without its weights changes are asked about sooner

    def slots_of(self, *types: str) -> list[str]:
        """The slots of these types, by name."""
        return [name for name, slot in self.slots.items() if slot.type in types]

    def params_of(self, tool: str | None) -> dict[str, Param]:
        """The parameters of a tool; none where there is no tool."""
        return self.tools[tool].params if tool else {}

    def reads(self, tool: str | None) -> bool:
        """Whether a tool changes nothing."""
        return tool is not None and self.tools[tool].risk == "read"

    def target_param(self, tool: str | None) -> str | None:
        """The parameter of a tool that takes one of the person's things."""
        params = self.tools[tool].params.items() if tool in self.tools else ()
        return next((name for name, one in params if one.slot and self.slots[one.slot].type == "entity"), None)

    def naming_param(self, tool: str | None) -> str | None:
        """The parameter that names what a tool makes: it takes none of the things there are, but the name of one."""
        if tool not in self.tools or self.tools[tool].risk != "write" or self.target_param(tool) is not None:
            return None
        names = {kind.name for kind in self.entities.values()}
        params = self.tools[tool].params.items()
        return next((name for name, one in params if name in names and one.required and one.slot), None)


class Naming(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How people name a group of things: "the work list", "la lista del lavoro"."""

    nouns: Phrases  # the word for such a group: "list"
    before: Phrases = ()  # if the name precedes the noun, the words that may stand before it: "my", "the"
    after: Phrases = ()  # if the name follows the noun, the phrases between them: "della"
    loose: Phrases = ()  # phrases in between that are no proof of a name: only names among `kinds` count after them
    called: Phrases = ()  # phrases that introduce a name after the noun in any case: "called"
    kinds: Phrases = ()  # usual names: "shopping"
    never: Phrases = ()  # words that are never part of a name: "to-do"
    ends: Phrases = ()  # words that end a name of several words: "with"
    longest: int = 3  # most words of a name


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What we say back. Texts may hold {label}, {title}, {count}, {options} and the like."""

    confirm: dict[str, str]  # by tool; "*" for any
    ask: dict[str, str]  # by parameter, "tool.parameter" first
    which: str  # several things fit
    not_found: str  # none does
    near: str  # none does, and some come near
    low_confidence: str  # it may be meant, and is asked
    invalid: dict[str, str]  # by parameter; "*" for any: its value cannot be taken
    more: str  # how many options there are besides those shown
    reply: dict[str, str]  # by reason of none, "reason.act" first
    already: dict[str, str] = {}  # by tool: that the thing is as it should be; else `not_found`
    changes: dict[str, str] = {}  # how a question words what would change: by parameter, "parameter.value" first
    next: dict[str, str] = {}  # by the tool that was called and the one that may follow: "add_task.list_tasks"
    unknown: dict[str, str] = {}  # by parameter: no group has this name; {options} are the existing ones


class Phrasebook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One language's file of a pack."""

    language: str  # its BCP-47 tag
    verbs: dict[str, Phrases] = {}  # by class, in their base form
    classes: dict[str, Phrases] = {}  # other words and phrases, by class
    values: dict[str, dict[str, Phrases]] = {}  # for every list of values, the phrases that mean each
    leads: dict[str, Phrases] = {}  # words that announce a slot: "due", "deadline"
    named: dict[str, Naming] = {}  # by shared slot: how its names are said
    nouns: tuple[str, ...] = ()  # the classes that name the pack's things: "task", "to-dos"
    continues: tuple[str, ...] = ()  # the classes that go on with a request in a new sentence: "details: …"
    vouches: tuple[str, ...] = ()  # the classes that, heading a text, vouch for its being meant for us: "pay", "clean"
    heads: tuple[str, ...] = ()  # the classes that head a text of its own among several: "call Bob, buy milk and …"
    heads_more: tuple[str, ...] = ()  # those that head a further text even after one alone: "…and to write to Ann"
    breaks: tuple[str, ...] = ()  # those that begin a clause even without a pause before it: "…looks fine tick it off"
    acts: dict[str, Phrases] = {}  # the sentences of each act
    concepts: dict[str, Phrases] = {}  # the words for one thing or deed, under a name that all languages share
    say: Say  # what is said back
