"""Defines a pack: the tools, entities and acts of a domain, and its sentences in each language.

`Pack` is language-neutral (pack.yaml). `Phrasebook` is one language, in a file (en.yaml) or a folder (en/).
`packs/load.py` fills both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import UNSET

from sayso.engine.text.statements import only_reads

Risk = Literal["read", "write", "destructive"]
Mood = Literal["command", "plan", "question", "statement"]
Phrases = tuple[str, ...]


class Worded(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value that a word of the command implies: "remind me" with only a date sets a reminder for that day."""

    by: str  # the class of these words
    beside: str  # the parameter that must have a date without a time
    value: Any  # the implied value


class Rings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to convert the date of a reminder into a lead time."""

    before: str  # the parameter with that date
    by: tuple[str, ...] = ()  # word classes that mean a reminder
    after: tuple[str, ...] = ()  # the same, in the turn before
    unless: tuple[str, ...] = ()  # word classes that move the item instead
    never: tuple[str, ...] = ()  # word classes for events that cannot have a reminder


class Param(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A parameter of a tool."""

    schema: dict[str, Any]  # the JSON Schema of its value
    slot: str | None = None  # the slot that it is read from
    default: Any = UNSET  # the value if it is not given; a parameter without a default is required
    names: dict[str, str] = {}  # the tool's names for values that a reader returns
    also: tuple[str, ...] = ()  # other names that a caller may use for it
    implies: dict[str, Any] = {}  # arguments to add if it is given and they are not
    worded: Worded | None = None  # a value that a word of the command implies
    doubted_by: tuple[str, ...] = ()  # word classes that make the value doubtful: then it is confirmed
    rings: Rings | None = None  # it is a lead time: when to ring
    mild: bool = False  # a wrong value does little harm: the rules may decide if all words are used

    @property
    def required(self) -> bool:
        return self.default is UNSET


class Paging(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters that page through a list."""

    start: str  # how many items to skip
    size: str  # how many items to show
    onward: dict[str, dict[str, str]] = {}  # by parameter, the next value after a value (today → tomorrow)


class Following(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call that users often want next."""

    tool: str  # the tool of that call
    keep: tuple[str, ...] = ()  # arguments that it takes over from the first call
    set: dict[str, Any] = {}  # arguments with fixed values
    part: str = ""  # one call for each part of this kind that takes a value


class Tool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool of the MCP server."""

    risk: Risk  # destructive tools always require confirmation
    description: str = ""  # one sentence for people
    intent: str = ""  # its name in other programs, if different
    params: dict[str, Param] = {}  # its parameters, by name
    at_least_one: tuple[str, ...] = ()  # of these parameters, one is required
    inverse: dict[str, Any] | None = None  # the call that undoes it: {"tool", "set"}
    several: dict[str, str] | None = (
        None  # it may run on all items that match a description; the default filters, by field
    )
    paging: Paging | None = None  # how it pages through a list
    next: tuple[Following, ...] = ()  # calls that users often want next
    statement: str = ""  # the parameter with a statement of SQL: a call whose statement only reads is a read

    def risk_of(self, arguments: Mapping[str, Any]) -> Risk:
        """What a call with these arguments may cost."""
        return "read" if self.statement and only_reads(arguments.get(self.statement)) else self.risk


class PartKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A list in a field of an item, such as the commands of a machine."""

    field: str  # the field with the list
    name: str = "name"  # the field with the name, if entries are objects
    valued: tuple[str, ...] = ()  # concepts of entries that take a value
    actions: tuple[str, ...] = ()  # concepts that ask for an action, even if no entry can do it
    near: dict[str, tuple[str, ...]] = {}  # by concept, other concepts to use if no entry has it
    implied: tuple[str, ...] = ()  # concepts in the name of an entry that nobody has to say: "defrost" starts a cycle
    measured: tuple[str, ...] = ()  # units that make an entry take a number; the first matches any unit
    value_words: tuple[str, ...] = ()  # words of a description that say that an entry takes a number


class Listing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a server lists the user's items."""

    tool: str  # the tool that lists them
    items: str  # the field of its result with the items
    arguments: dict[str, Any] = {}  # the arguments of that call


class EntityKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of the user's items."""

    name: str  # the field with its name
    also: tuple[str, ...] = ()  # other fields that people use as a name
    parts: dict[str, PartKind] = {}  # its parts, by kind
    listed: Listing | None = None  # how a server lists them
    past: dict[str, str] = {}  # values that mean that the date in this field is past: "overdue"


class Slot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place in a sentence that is filled with the user's words."""

    # what it reads: see Slots above
    type: Literal["entity", "text", "date", "value", "number", "quote", "one_of", "part", "repeat", "lead", "shared"]
    # the kind of entity or part, the list of values, the text slot of a quotation, the field of a group's name, or the
    # date slot that a range begins in
    of: str = ""
    longest: int = 0  # text: the maximum number of words; 0 means any
    verbatim: bool = False  # text: no other value is read from it
    choices: tuple[str, ...] = ()  # one_of: the slots to try, in order
    open: bool = False  # entity: accept an unknown id


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a user does with one of its sentences."""

    tool: str | None  # the tool to call; none if Sayso understands the act but does nothing
    mood: tuple[Mood, ...] = ("command",)  # the moods in which its sentences match
    set: dict[str, Any] = {}  # arguments with fixed values
    among: dict[str, str] = {}  # only items with this value in this field
    asks: tuple[str, ...] = ()  # parameters to ask for if none was given
    confidence: float = 0.97  # the maximum confidence
    inferred: bool = False  # the request is implied
    must_link: bool = False  # matches only if its item is found
    headed: bool = False  # its text begins with one of `heads`: "new job fix the gate", not "new job is great"
    brief: bool = False  # its text is a short name, not a sentence: "team call every monday"
    by_us: bool = False  # only if Sayso should do it; "I want to finish the report" is the user's own plan
    past: Literal["", "named", "any"] = ""  # it reports something as done, with the verb of the item or with any verb
    # its date is when to ring, not when something is due; a duration may also move that moment
    rings: Literal["", "moments", "earlier", "later"] = ""
    mentions: tuple[str, ...] = ()  # matches only if the message before, or its answer, has a word of these classes
    backwards: bool = False  # subtracts a duration instead of adding it
    previous: str | None = None  # this text slot takes the text just before ("…, add that")
    each: str | None = None  # this text slot has several texts, with one decision each ("two things: …")
    narrows: Literal["", "narrow", "replace"] = ""  # changes the arguments of the last call of its tool
    pages: Literal["", "next", "previous", "first", "onward"] = ""  # pages through the last list
    # repeats the last act: on the other item instead, on the other too, on the named one, on one more
    again: Literal["", "other", "further", "named", "also"] = ""
    undoes: bool = False  # undoes the last call
    whole: bool = False  # applies to all items; less likely if the message names a list
    spares: bool = False  # excludes an item from what the same message asks for
    append: tuple[str, ...] = ()  # text parameters that are appended to the item's text
    clears: tuple[str, ...] = ()  # parameters set to null
    needs: tuple[str, ...] = ()  # required slots
    after: tuple[str, ...] = ()  # matches only right after one of these tools was called or asked about
    # the reason of an act without a tool
    reason: Literal["out_of_scope", "smalltalk", "unsupported"] = "unsupported"
    part: str = ""  # it is about a part of an item; it needs no sentences
    concepts: tuple[str, ...] = ()  # it is about these concepts of an item


class Pack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The domain, without words of any language."""

    pack: str  # its name, the same as the folder's
    entities: dict[str, EntityKind]  # kinds of the user's items
    tools: dict[str, Tool]  # the tools, by name
    slots: dict[str, Slot]  # the slots of sentences, by name
    acts: dict[str, Act]  # the acts, by name
    reader: bool = False  # compare the rules with a learned reader

    def slots_of(self, *types: str) -> list[str]:
        """The slots of these types, by name."""
        return [name for name, slot in self.slots.items() if slot.type in types]

    def params_of(self, tool: str | None) -> dict[str, Param]:
        """The parameters of a tool; empty if there is no tool."""
        return self.tools[tool].params if tool else {}

    def past_field(self, value: str) -> str | None:
        """The field whose date is past for an item with this value: "due" for "overdue"."""
        return next((kind.past[value] for kind in self.entities.values() if value in kind.past), None)

    def reads(self, tool: str | None) -> bool:
        """Whether a tool changes nothing."""
        return tool is not None and self.tools[tool].risk == "read"

    def params_for(self, tool: str | None, *types: str) -> list[str]:
        """The parameters of a tool whose slots are of these types."""
        params = self.tools[tool].params.items() if tool in self.tools else ()
        return [name for name, one in params if one.slot and self.slots[one.slot].type in types]

    def target_param(self, tool: str | None) -> str | None:
        """The parameter of a tool that takes one of the user's things."""
        return next(iter(self.params_for(tool, "entity")), None)

    def naming_param(self, tool: str | None) -> str | None:
        """The parameter with the name of the thing that a tool creates. It takes a new name, not an existing thing."""
        if tool not in self.tools or self.tools[tool].risk != "write" or self.target_param(tool) is not None:
            return None
        names = {kind.name for kind in self.entities.values()}
        params = self.tools[tool].params.items()
        return next((name for name, one in params if name in names and one.required and one.slot), None)


class Naming(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How people name a group of items: "the work list"."""

    nouns: Phrases  # the noun of such a group: "list"
    before: Phrases = ()  # words that may precede the name if it comes before the noun: "my", "the"
    after: Phrases = ()  # phrases between the noun and a name that follows it: "della"
    loose: Phrases = ()  # phrases after which only the names in `kinds` count
    called: Phrases = ()  # phrases that always introduce a name: "called"
    kinds: Phrases = ()  # common names: "shopping"
    alone: Phrases = ()  # common names that need no noun after one of `onto`: "to groceries"
    onto: Phrases = ()  # phrases before such a name: "to", "to my"
    never: Phrases = ()  # words that are never part of a name: "to-do"
    ends: Phrases = ()  # words that end a name: "with"
    longest: int = 3  # the maximum number of words


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Questions and replies. Texts may contain {label}, {title}, {count}, {options} and others."""

    confirm: dict[str, str]  # by tool; "*" for any
    ask: dict[str, str]  # by parameter, "tool.parameter" first
    which: str  # several items match
    not_found: str  # no item matches
    near: str  # no item matches, but some are similar
    low_confidence: str  # the confidence is low
    invalid: dict[str, str]  # the value is not valid, by parameter; "*" for any
    more: str  # how many more options there are
    reply: dict[str, str]  # by the reason of `none`; "reason.act" first
    already: dict[str, str] = {}  # there is nothing to change, by tool
    changes: dict[str, str] = {}  # a change in a question, by parameter; "parameter.value" first
    next: dict[str, str] = {}  # a suggestion, by the two tools: "add_task.list_tasks"
    unknown: dict[str, str] = {}  # no group has this name, by parameter; {options} are the existing ones


class Phrasebook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The words of a pack in one language."""

    language: str  # its BCP-47 tag
    verbs: dict[str, Phrases] = {}  # verbs in their base form, by class
    classes: dict[str, Phrases] = {}  # other words and phrases, by class
    values: dict[str, dict[str, Phrases]] = {}  # by list of values, the phrases for each value
    leads: dict[str, Phrases] = {}  # words that announce a slot: "due", "deadline"
    named: dict[str, Naming] = {}  # how people say the names of a `shared` slot
    nouns: tuple[str, ...] = ()  # classes with the words for the items: "task", "to-dos"
    continues: tuple[str, ...] = ()  # classes that continue a request in a new sentence: "details: …"
    vouches: tuple[str, ...] = ()  # classes that show at the start of a text that it is for this pack: "pay"
    heads: tuple[str, ...] = ()  # classes that begin one of several texts: "call Bob, buy milk and …"
    heads_more: tuple[str, ...] = ()  # classes that begin a second text: "…and to write to Ann"
    breaks: tuple[str, ...] = ()  # classes that begin a clause without a pause before it: "…looks fine tick it off"
    acts: dict[str, Phrases] = {}  # the sentences of each act
    concepts: dict[str, Phrases] = {}  # the words for a thing or an action, under a name that all languages share
    say: Say  # questions and replies
