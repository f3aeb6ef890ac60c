"""Is what runs what was shown, once, to the one who was asked, while it is still so?

    python -m benchmarks cards

Three proofs against two replicas of the chat service on one database.

Altered: every field that is bound to a card is changed 200 times over all its ways, in what the sender sends or in the
database, and a yes is given by the card or by word. Nothing may run. Every other change comes with the digest that
would fit it. The proof does not count somebody with SQL who writes both a card and the turn that asked for it, alike
and with a fitting digest, when the yes is a word: a word carries no digest of what was seen. Nor does it count a card
that such a person opens again: a yes to it is the person's own.

Replayed: 1,000 cards, each yes sent 16 times at once over both replicas: one effect each, and one reply.

Lived through: a card that is over, a task that has changed meanwhile, a fresh command, a no before the yes, two cards
at once; 50 times each, in both languages, by card and by word.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random
from uuid import uuid4

import psycopg

from benchmarks.harness.services import Progress, new_database
from benchmarks.harness.talks import LANGUAGES, Replicas, Talk, Words, replicas
from benchmarks.trust.cards_fields import IN_THE_QUESTION, IN_THE_ROW, Attacker, Near, altered_digest
from benchmarks.trust.cards_lives import LIVES
from sayso.assistant.questions import PATIENCE, Shown, ask
from sayso.assistant.values import Card, Outcome
from sayso.decision import Confirm
from sayso.ledger import turns
from sayso.ledger.values import Begun
from sayso.tasks.hands import first_things
from sayso.tasks.values import ListTasks

AT_ONCE = 4
WAYS = (
    [("the sender", "digest", "card")]
    + [(table, field, how) for field in IN_THE_QUESTION for table, how in (("cards", "card"), ("cards", "word"))]
    + [("turns", field, "word") for field in IN_THE_QUESTION]
    + [("row", field, how) for field in IN_THE_ROW for how in ("card", "word")]
)
CHANGES = {"new_title": "call the glazier", "new_due": "2026-03-20", "new_priority": "low"}


class Altering:
    """One person with a few tasks, and an attacker who alters the cards that they are shown."""

    def __init__(self, talk: Talk, stranger: Talk, title: str, near: Near, attacker: Attacker) -> None:
        self._talk, self._stranger, self._title, self._near, self._attacker = talk, stranger, title, near, attacker
        self._words = Words("en", attacker.rng)

    @classmethod
    async def begin(cls, on: Replicas, attacker: Attacker) -> Altering:
        talk, stranger = await Talk.begin(on), await Talk.begin(on)
        elsewhere = await Talk.begin(on, talk.who)
        title, other = Words("en", attacker.rng).titles(2)
        for each in (title, other):
            await talk.say(f"add {each}")
            await stranger.say(f"add {each}")
        tasks = {task.title: task.id for task in (await on.one.tasks(talk.who, ListTasks())).tasks or []}
        near = Near(tasks[title], tasks[other], other, elsewhere.conversation, stranger.who.id, stranger.conversation)
        return cls(talk, stranger, title, near, attacker)

    async def is_accepted(self, where: str, field: str, how: str) -> bool:
        """Whether anything came of a yes to a card that was altered."""
        card = await self._ask(field)
        before = self._attacker.tasks(self._talk.who.id, self._stranger.who.id)
        row = self._attacker.row(card)
        digest = card.digest
        if where == "the sender":
            digest = altered_digest(self._attacker.rng, card.digest)
        elif where == "row":
            self._attacker.alter_row(field, row, self._near)
        else:
            self._attacker.alter_question(field, row, self._near, where)
        done = await self._say_yes(card, digest, how)
        self._attacker.put_back(row)
        return done or self._attacker.tasks(self._talk.who.id, self._stranger.who.id) != before

    async def is_taken(self, field: str, how: str) -> bool:
        """Whether a yes to a card as it was shown is carried out: else a refusal would prove nothing."""
        card = await self._ask(field)
        return await self._say_yes(card, card.digest, how)

    async def _ask(self, field: str) -> Card:
        """A card that has the field: that of a delete has one argument alone."""
        card = await self._talk.ask(self._words.for_("delete", self._title))
        if field.removeprefix("argument ") not in CHANGES:
            return card
        return await self._ask_about_change(self._attacker.row(card)["definition"])

    async def _ask_about_change(self, definition: bytes) -> Card:
        """A card of several arguments, as doubt would lead to; made here, so that it needs no doubt."""
        chat, who, place = self._talk.on.one, self._talk.who, self._talk.conversation
        arguments = {"task_identifier": self._near.meant, **CHANGES}
        change = Confirm(
            tool="update_task", arguments=arguments, confidence=0.8, question="Change it?", reason="uncertain"
        )
        async with chat.acting(who) as (on, person):
            message = (str(uuid4()), "change it")
            begun, _rows = await turns.begin(on, who.id, place, *message, first_things(who.id), person.now)
            shown = Shown(until=person.now + PATIENCE)
            asked = ask(change, {self._near.meant: 1}, shown, "change it", chat.speaker(person, place))
            outcome = Outcome(lang="en", decisions=(change,), reply=change.question, asked=(asked,))
            if not isinstance(begun, Begun) or asked.card is None:
                raise SystemExit("no card could be made")
            turns.keep(on, who.id, begun, outcome, person.now, definition)
            return asked.card

    async def _say_yes(self, card: Card, digest: str, how: str) -> bool:
        if how == "word":
            reply = await self._talk.say(self._words.for_("yes"))
            return bool(reply.results)
        answers = [await each.answer(card, digest) for each in (self._talk, self._stranger)]
        return any(answers)


def each_way(times: int) -> dict[str, int]:
    """How often each way of a field is tried, so that the field is altered at least this many times in all."""
    ways = Counter(field for _where, field, _how in WAYS)
    return {field: math.ceil(times / number) for field, number in ways.items()}


async def alter(on: Replicas, url: str, times: int) -> list[str]:
    """Which alterations were not noticed, and where nothing would have been."""
    rng, accepted = Random(6), []
    each = each_way(times)
    progress = Progress("alterations", sum(each[field] for _where, field, _how in WAYS))
    with psycopg.connect(url, autocommit=True) as connection:
        for where, field, how in WAYS:
            altering = await Altering.begin(on, Attacker(connection, rng))
            for _ in range(each[field]):
                if await altering.is_accepted(where, field, how):
                    accepted.append(f"{field} in {where} by {how}")
                progress.step()
            if not await altering.is_taken(field, how):
                accepted.append(f"unaltered, not taken: {field} in {where} by {how}")
    return accepted


async def replay(on: Replicas, cards: int, senders: int) -> list[str]:
    """What went wrong, card by card, where every yes is sent by many at once."""
    progress, gate = Progress("cards", cards), asyncio.Semaphore(AT_ONCE)
    wrong: list[str] = []

    async def one_card(number: int) -> None:
        async with gate:
            talk = await Talk.begin(on)
            await talk.say(f"add errand {number}")
            card = await talk.ask("delete it")
            replies = await asyncio.gather(*(talk.answer(card) for _ in range(senders)))
            if replies[0] is None or any(reply != replies[0] for reply in replies):
                wrong.append(f"card {number}: the replies differ")
            entries = await on.one.trail(talk.who, 0, 1000)
            calls = [entry for entry in entries if entry.kind == "call" and "delete_task" in (entry.body or "")]
            left = (await on.two.tasks(talk.who, ListTasks())).count
            if len(calls) != 1 or left != 0:
                wrong.append(f"card {number}: {len(calls)} executions, {left} tasks left")
            progress.step()

    await asyncio.gather(*(one_card(number) for number in range(cards)))
    return wrong


async def live(on: Replicas, times: int) -> list[str]:
    """What went wrong in the lives of cards."""
    rng, wrong = Random(7), []
    progress = Progress("lives", len(LIVES) * times)
    for name, life in LIVES.items():
        for number in range(times):
            problem = await _lived(life, on, Words(LANGUAGES[number % len(LANGUAGES)], rng), by_word=number % 4 < 2)
            wrong += [f"{name}: {problem}"] if problem else []
            progress.step()
    return wrong


Life = Callable[[Talk, Words, bool], Awaitable[str | None]]


async def _lived(life: Life, on: Replicas, words: Words, *, by_word: bool) -> str | None:
    return await life(await Talk.begin(on, lang=words.lang), words, by_word)


async def prove(url: str, options: argparse.Namespace) -> list[str]:
    async with replicas(url) as on:
        accepted = await alter(on, url, options.mutations)
        replayed = await replay(on, options.cards, options.senders)
        lived = await live(on, options.lives)
    for problem in (*Counter(accepted).items(), *replayed[:10], *lived[:20]):
        print(f"  {problem}")
    each = each_way(options.mutations)
    print(
        f"{sum(each[field] for _, field, _ in WAYS):,} altered cards ({len(each)} fields, {len(WAYS)} ways): "
        f"{len(accepted)} accepted; "
        f"{options.cards:,} cards x {options.senders} senders over 2 replicas: {len(replayed)} wrong; "
        f"{len(LIVES) * options.lives} lives of cards: {len(lived)} wrong"
    )
    return accepted + replayed + lived


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutations", type=int, default=200, help="of every field, over all its ways")
    parser.add_argument("--cards", type=int, default=1000)
    parser.add_argument("--senders", type=int, default=16)
    parser.add_argument("--lives", type=int, default=50, help="of every kind")
    options = parser.parse_args()
    with new_database(durable=False) as url:
        return int(bool(asyncio.run(prove(url, options))))


if __name__ == "__main__":
    sys.exit(main())
