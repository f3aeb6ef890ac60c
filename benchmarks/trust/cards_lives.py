"""What may happen to a card between the question and the yes. Each tells what went wrong, or nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta

from benchmarks.harness.talks import Talk, Words
from sayso.assistant.values import Card, Reply
from sayso.tasks.values import ListTasks


async def over(talk: Talk, words: Words, by_word: bool) -> str | None:
    """After ten minutes a card is refused; a yes by word is asked about once more."""
    title = words.titles(1)[0]
    card = await _asked(talk, words, title)
    talk.on.clock.pass_by(timedelta(minutes=10))
    if await talk.answer(card) is not None:
        return "a card that is over was accepted"
    if not by_word:
        return await _left(talk, title)
    again = await talk.say(words.for_("yes"))
    return await _asked_again(talk, words, again, card, title)


async def stale(talk: Talk, words: Words, by_word: bool) -> str | None:
    """A task that was changed in another conversation is asked about as it is now."""
    title, other = words.titles(2)
    card = await _asked(talk, words, title)
    elsewhere = await Talk.begin(talk.on, talk.who)
    changed = await elsewhere.say(words.for_("change", title, other))
    if not changed.results:
        return f"nothing was changed: {changed.reply}"
    now = changed.results[0].result["task"]["title"]
    again = await talk.say(words.for_("yes")) if by_word else await talk.answer(card)
    if again is None:
        return "a yes to what has changed was refused, not asked about again"
    return await _asked_again(talk, words, again, card, now)


async def superseded(talk: Talk, words: Words, by_word: bool) -> str | None:
    """A fresh command sets the card aside: a yes in words runs nothing, a click on the card still counts."""
    title, other = words.titles(2)
    card = await _asked(talk, words, title)
    fresh = await talk.say(words.for_("fresh", title, other))
    if not fresh.results:
        return f"the fresh command did nothing: {fresh.reply}"
    if by_word and (await talk.say(words.for_("yes"))).results:
        return "a yes after a fresh command ran something"
    if await talk.answer(card) is None or title in await _titles(talk):
        return "a card that was set aside could not be clicked"
    return None


async def declined(talk: Talk, words: Words, by_word: bool) -> str | None:
    """After a no there is no yes."""
    title = words.titles(1)[0]
    card = await _asked(talk, words, title)
    said = await talk.say(words.for_("no")) if by_word else await talk.answer(card, yes=False)
    if said is None or said.results:
        return "a no was not taken as one"
    if (await talk.say(words.for_("yes"))).results:
        return "a yes after a no ran something"
    if await talk.answer(card) is not None:
        return "a card was accepted after a no"
    return await _left(talk, title)


async def two(talk: Talk, words: Words, _by_word: bool) -> str | None:
    """Two deletes of one message are a group: one yes answers both, and counts once."""
    first, second = words.titles(2)
    for title in (first, second):
        await talk.say(words.for_("add", title))
    asked = await talk.say(words.for_("both", first, second))
    if asked.results:
        return f"something was deleted before a yes: {asked.reply}"
    agreed = await talk.say(words.for_("yes"))
    if len(agreed.results) != 2 or await _titles(talk):
        return f"a yes to a group came to this: {agreed.reply}"
    again = await talk.say(words.for_("yes"))
    return "a yes counted twice" if any(deed.tool == "delete_task" for deed in again.results) else None


LIVES: dict[str, Callable[[Talk, Words, bool], Awaitable[str | None]]] = {
    "over": over,
    "stale": stale,
    "superseded": superseded,
    "declined": declined,
    "two": two,
}


async def _asked(talk: Talk, words: Words, title: str) -> Card:
    await talk.say(words.for_("add", title))
    return await talk.ask(words.for_("delete", title))


async def _asked_again(talk: Talk, words: Words, again: Reply, before: Card, title: str) -> str | None:
    """Nothing was done, there is a new card about the task as it is now, and a yes to that one counts."""
    card = again.confirmation
    if again.results or title not in await _titles(talk):
        return "something was done without a valid yes"
    if card is None or card.id == before.id or title not in card.card:
        return f"it was not asked about again as it is now: {again.reply}"
    if await talk.answer(before) not in (None, again):  # a yes that was sent before has the reply that it had
        return "the former card was accepted"
    done = await talk.say(words.for_("yes"))
    return None if title not in await _titles(talk) else f"a yes to the new card did nothing: {done.reply}"


async def _left(talk: Talk, title: str) -> str | None:
    return None if title in await _titles(talk) else "the task is gone"


async def _titles(talk: Talk) -> list[str]:
    listed = await talk.on.one.tasks(talk.who, ListTasks(limit=100))
    return [task.title for task in listed.tasks or []]
