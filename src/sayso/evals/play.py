"""Plays sessions with the assistant and an in-memory list, and judges what each turn did to the list.

right     the list, and the reply where a label describes it, are as they should be
refused   nothing changed although something should have, or there was no reply
misasked  a question was asked, and the answer led to the wrong change
misread   the list is right, but the reply lacks something or mentions too much
wrong     the list was changed without a question in a way that nobody wanted, or without a question that had to come
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from sayso.assistant.conversation import Conversation
from sayso.assistant.converse import Assistant
from sayso.assistant.values import Reply
from sayso.decision import Clarify
from sayso.errors import MalformedCase, SaysoError
from sayso.evals.rows import (
    Difference,
    Expected,
    Titles,
    corrected,
    difference,
    expected_after,
    new_task,
    rows_of,
    titles_of,
)
from sayso.evals.sessions import Session, Show, Turn
from sayso.files import datafile
from sayso.tasks.store.memory import MemoryTasks
from sayso.tasks.store.taskfile import TaskList

Kind = Literal["right", "refused", "misasked", "misread", "wrong"]
MOST_QUESTIONS = 3  # answered in one turn, unless it wants more changes than that
_DEFAULT = "en"


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """How one turn came out. `lacks` and `surplus` are texts of the reply; `unasked`: a question had to come first."""

    id: str
    session: str
    group: str
    say: str
    kind: Kind
    questions: int
    replies: tuple[str, ...]
    list: Difference
    lacks: tuple[str, ...] = ()
    surplus: tuple[str, ...] = ()
    unasked: bool = False


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """Counts of turns by how they came out. `asked_first`: of the right ones, those with a question."""

    sessions: int
    turns: int
    right: int
    asked_first: int
    refused: int
    misasked: int
    misread: int
    wrong: int
    questions: int

    def rate(self, count: int) -> float:
        """A count as a share of all turns."""
        return count / max(self.turns, 1)


class SessionReport(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a run, in all and by file, and the turns that were not right."""

    accuracy: float
    wrong_rate: float
    questions_a_turn: float
    total: Figures
    groups: dict[str, Figures]
    misses: tuple[Played, ...]


class _Said(msgspec.Struct, frozen=True):
    """A reply as a terminal shows it, and whether it asks something."""

    text: str
    asks: bool


class _Exchange(msgspec.Struct, frozen=True):
    """The replies in a turn, and whether the list changed before any question was answered."""

    said: tuple[_Said, ...]
    changed_at_once: bool

    @property
    def questions(self) -> int:
        """Those that were answered."""
        return len(self.said) - 1


def play_all(sessions: Iterable[Session], assistant: Assistant) -> Iterator[Played]:
    """Every turn of every session, in order, as they are asked for."""
    for session in sessions:
        yield from play(session, assistant)


def play(session: Session, assistant: Assistant) -> Iterator[Played]:
    """One conversation. After a miss the list is corrected, so that one miss does not cause the next."""
    stamp = session.now.isoformat()
    hands = MemoryTasks(lambda: session.now)
    start = tuple(new_task(fields, number, stamp) for number, fields in enumerate(session.start, 1))
    hands.replace(TaskList(tasks=start, made=len(start)))
    conversation = Conversation(assistant, hands, clock=lambda: session.now)
    other_titles: list[Titles] = []
    for number, turn in enumerate(session.turns, 1):
        before = hands.kept
        name = f"{session.id}/{number}"
        expected = _expected(before, turn, other_titles, name)
        other_titles += titles_of(expected.added)
        exchange = _exchange(conversation, hands, turn, expected, answer=turn.then or _yes(session.lang))
        played = _judge(session, name, turn, exchange, before, hands.kept, expected)
        yield played
        if played.kind != "right" and (turn.want or _changed(before, hands.kept)):
            hands.replace(corrected(hands.kept, before, expected, stamp))


def report_sessions(played: Iterable[Played]) -> SessionReport:
    """Sum the turns up."""
    turns = list(played)
    groups: dict[str, list[Played]] = {}
    for one in turns:
        groups.setdefault(one.group, []).append(one)
    total = _figures(turns)
    return SessionReport(
        accuracy=total.rate(total.right),
        wrong_rate=total.rate(total.wrong),
        questions_a_turn=total.rate(total.questions),
        total=total,
        groups={name: _figures(group) for name, group in groups.items()},
        misses=tuple(one for one in turns if one.kind != "right"),
    )


def _expected(before: TaskList, turn: Turn, other_titles: list[Titles], name: str) -> Expected:
    try:
        return expected_after(rows_of(before.tasks), turn.want, other_titles)
    except KeyError as problem:
        raise MalformedCase(f"{name}: `want` names {problem}, which is not on the list at that turn") from problem


def _exchange(
    conversation: Conversation, hands: MemoryTasks, turn: Turn, expected: Expected, *, answer: str
) -> _Exchange:
    """Say the turn, and answer the questions that come before the list is as it should be."""
    before = hands.kept
    said = [_say(conversation, turn.say)]
    at_once = _changed(before, hands.kept)
    most = 0 if turn.ask == "no" or not turn.want else max(MOST_QUESTIONS, len(turn.want))
    if at_once and len(turn.want) == 1:
        most = 0  # the one change was made already, right or wrong
    while len(said) <= most and said[-1].asks and difference(expected, rows_of(hands.kept.tasks)):
        said.append(_say(conversation, answer))
    return _Exchange(tuple(said), at_once)


def _say(conversation: Conversation, message: str) -> _Said:
    try:
        reply = asyncio.run(conversation.say(message.strip()))
    except SaysoError:
        return _Said("", asks=False)
    return _shown(reply)


def _shown(reply: Reply) -> _Said:
    """The reply with the options it lists. A card, or a single option, is a question whatever its words."""
    options = next((one.options for one in reversed(reply.decisions) if isinstance(one, Clarify)), ())
    labels = [option.label for option in options] if len(options) > 1 else []
    text = "\n".join([reply.reply, *labels]).strip()
    return _Said(text, asks="?" in text or reply.confirmation is not None or len(options) == 1)


def _judge(
    session: Session,
    name: str,
    turn: Turn,
    exchange: _Exchange,
    before: TaskList,
    now: TaskList,
    expected: Expected,
) -> Played:
    off = difference(expected, rows_of(now.tasks))
    texts = tuple(one.text for one in exchange.said)
    unasked = not off and bool(turn.want) and turn.ask == "must" and not exchange.questions
    lacks, surplus = _reading(turn.show, " ".join(texts)) if turn.show else ((), ())
    return Played(
        id=name,
        session=session.id,
        group=session.group,
        say=turn.say,
        kind=_kind(
            off=bool(off),
            changed=_changed(before, now),
            at_once=exchange.changed_at_once,
            unasked=unasked,
            misread=bool(lacks or surplus),
            silent=not texts[0],
        ),
        questions=exchange.questions,
        replies=texts,
        list=off,
        lacks=lacks,
        surplus=surplus,
        unasked=unasked,
    )


def _kind(*, off: bool, changed: bool, at_once: bool, unasked: bool, misread: bool, silent: bool) -> Kind:
    if silent:
        return "refused"
    if off and not changed:
        return "refused"
    if off:
        return "wrong" if at_once else "misasked"
    if unasked:
        return "wrong"
    return "misread" if misread else "right"


def _reading(show: Show, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the reply lacks, and what it should not mention."""
    low = text.casefold()
    wanted = [(one,) if isinstance(one, str) else one for one in show.has]
    lacks = tuple(" / ".join(each) for each in wanted if not any(one.casefold() in low for one in each))
    return lacks, tuple(one for one in show.not_ if one.casefold() in low)


def _changed(before: TaskList, now: TaskList) -> bool:
    return bool(difference(Expected(rows_of(before.tasks)), rows_of(now.tasks)))


def _figures(turns: list[Played]) -> Figures:
    kinds = Counter(one.kind for one in turns)
    return Figures(
        sessions=len({one.session for one in turns}),
        turns=len(turns),
        right=kinds["right"],
        asked_first=sum(one.kind == "right" and one.questions > 0 for one in turns),
        refused=kinds["refused"],
        misasked=kinds["misasked"],
        misread=kinds["misread"],
        wrong=kinds["wrong"],
        questions=sum(one.questions for one in turns),
    )


@cache
def _answers() -> Mapping[str, str]:
    return datafile.read(Path(__file__).with_name("yes.yaml"), dict[str, str])


def _yes(lang: str) -> str:
    return _answers().get(lang[:2]) or _answers()[_DEFAULT]
