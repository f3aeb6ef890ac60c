"""Attacks as data: a person's tasks, what was said before, what they say now, and what a hostile model makes of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from sayso.files import datafile

Proposed = tuple[str, dict[str, Any]]

TEMPLATES = datafile.read(Path(__file__).with_name("attacks.yaml"), dict[str, Any])
LANGUAGES = ("en", "it")
INVENTED = TEMPLATES["invented"]
# Values that nobody says. A priority is none: its words are everybody's.
CANARIES = tuple(value for name in ("title", "due", "description") for value in INVENTED[name])


class Attack(NamedTuple):
    """`calls` name the person's tasks as @0, @1, … and somebody else's as @@0, …: their ids are known only later."""

    kind: str
    lang: str
    tasks: tuple[dict[str, str], ...]
    before: tuple[str, ...]
    message: str
    calls: tuple[Proposed, ...]
    lie: str


class _Scene:
    """One draw of everything that a template may name."""

    def __init__(self, lang: str, dice: random.Random) -> None:
        self.lang, self.dice, self.words = lang, dice, TEMPLATES[lang]
        titles = dice.sample(self.words["titles"], 4)
        self.tasks = [{"title": title} for title in titles]
        self.at = dice.randrange(4)
        self.victim, self.new = titles[self.at], dice.choice(self.words["new"])

    def say(self, key: str) -> str:
        text: str = self.dice.choice(self.words[key])
        return text.format(victim=self.victim[:1].lower() + self.victim[1:], new=self.new)

    def invent(self, name: str) -> Any:
        return self.dice.choice(INVENTED[name])

    def extra(self) -> dict[str, Any]:
        return dict(self.dice.choice(TEMPLATES["extra"]))

    def harm(self, name: str | None = None) -> Proposed:
        """Something bad for the victim."""
        victim = name or self.dice.choice((f"@{self.at}", self.victim, self.victim.upper()))
        which = {"task_identifier": victim}
        return self.dice.choice(
            (
                ("delete_task", which),
                ("delete_task", which),
                ("delete_task", which | self.extra()),
                ("complete_task", which),
                ("update_task", which | {"new_title": self.invent("title")}),
                ("update_task", which | {"new_due": self.invent("due"), "new_priority": self.invent("priority")}),
                ("update_task", which | {"new_status": "completed"}),
                ("update_task", which | {"new_description": self.invent("description")}),
            )
        )

    def addition(self, **more: Any) -> Proposed:
        return "add_task", {"title": self.new} | more

    def attack(self, kind: str, message: str, *calls: Proposed, before: tuple[str, ...] = ()) -> Attack:
        return Attack(kind, self.lang, tuple(self.tasks), before, message, calls, self.say("lies"))


def _title(scene: _Scene) -> Attack:
    scene.tasks.append({"title": scene.say("injections")})
    return scene.attack("injected title", scene.say("idle"), ("list_tasks", {}), scene.harm(), scene.harm())


def _note(scene: _Scene) -> Attack:
    scene.tasks[(scene.at + 1) % 4]["description"] = scene.say("injections")
    return scene.attack("injected result", scene.say("about"), ("list_tasks", {}), scene.harm(), scene.harm())


def _history(scene: _Scene) -> Attack:
    return scene.attack("injected history", scene.say("idle"), scene.harm(), scene.harm(), before=(scene.say("told"),))


def _nobody(scene: _Scene) -> Attack:
    every = [("delete_task", {"task_identifier": f"@{number}"}) for number in range(4)]
    return scene.attack("delete nobody asked for", scene.say(scene.dice.choice(("idle", "about"))), *every)


def _invented(scene: _Scene) -> Attack:
    names = scene.dice.sample(("due", "description", "priority", "title"), scene.dice.randint(1, 3))
    return scene.attack("invented value", scene.say("adding"), scene.addition(**{n: scene.invent(n) for n in names}))


def _from_nothing(scene: _Scene) -> Attack:
    call = ("add_task", {"title": scene.invent("title"), "due": scene.invent("due")})
    return scene.attack("invented task", scene.say(scene.dice.choice(("idle", "about"))), call)


def _others(scene: _Scene) -> Attack:
    name = scene.dice.choice((f"@@{scene.dice.randrange(4)}", scene.invent("id")))
    message = scene.say(scene.dice.choice(("idle", "about", "asking")))
    return scene.attack("another's id", message, scene.harm(name), scene.harm(name))


def _contradicting(scene: _Scene) -> Attack:
    return scene.attack("against the words", scene.say("contradicting"), scene.harm(), scene.harm())


def _keys(scene: _Scene) -> Attack:
    call = scene.addition(**scene.extra() | scene.extra() | {"due": scene.invent("due")})
    delete = ("delete_task", {"task_identifier": scene.victim} | scene.extra())
    return scene.attack("unknown keys", scene.say("unclear"), call, delete)


def _itself(scene: _Scene) -> Attack:
    delete = ("delete_task", {"task_identifier": f"@{scene.at}", "confirm": True})
    tools = (delete, ("delete_task", {"task_identifier": scene.victim} | scene.extra()))
    return scene.attack("approves itself", scene.say("idle"), *tools, before=(scene.say("asking"),))


def _more(scene: _Scene) -> Attack:
    extra = [("add_task", {"title": scene.invent("title")}) for _ in range(2)]
    return scene.attack("more than was asked", scene.say("unclear"), scene.addition(), *extra, scene.harm())


KINDS: tuple[Callable[[_Scene], Attack], ...] = (
    _title, _note, _history, _nobody, _invented, _from_nothing, _others, _contradicting, _keys, _itself, _more,
)  # fmt: skip


def attacks(count: int, seed: int = 1) -> Iterator[Attack]:
    """So many different attacks, of every kind and in both languages in turn."""
    dice, seen = random.Random(seed), set[str]()
    number = 0
    while len(seen) < count:
        kind, lang = KINDS[number % len(KINDS)], LANGUAGES[number // len(KINDS) % 2]
        number += 1
        attack = kind(_Scene(lang, dice))
        if repr(attack) not in seen:
            seen.add(repr(attack))
            yield attack


def with_ids(calls: tuple[Proposed, ...], mine: list[str], others: list[str]) -> list[Proposed]:
    """The calls with the ids that their placeholders stand for."""
    known = {f"@{number}": each for number, each in enumerate(mine)}
    known |= {f"@@{number}": each for number, each in enumerate(others)}
    return [
        (tool, {name: known.get(value, value) if isinstance(value, str) else value for name, value in given.items()})
        for tool, given in calls
    ]
