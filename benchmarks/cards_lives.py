"""What may happen to a card between the question and the yes. Each tells what went wrong, or nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta

from sayso.assistant.values import Card, Reply
from sayso.tasks.values import ListTasks
from talks import Talk, Words


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
    """A fresh command closes the card."""
    title, other = words.titles(2)
    card = await _asked(talk, words, title)
    fresh = await talk.say(words.for_("fresh", title, other))
    if not fresh.results:
        return f"the fresh command did nothing: {fresh.reply}"
    if by_word and (await talk.say(words.for_("yes"))).results:
        return "a yes after a fresh command ran something"
    if await talk.answer(card) is not None:
        return "a superseded card was accepted"
    return await _left(talk, title)


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


async def two(talk: Talk, words: Words, by_word: bool) -> str | None:
    """Of two cards one must be picked; the other task stays."""
    first, second = words.titles(2)
    for title in (first, second):
        await talk.say(words.for_("add", title))
    asked = await talk.say(words.for_("both", first, second))
    if asked.reply.count("?") < 2:
        return f"two questions were not asked: {asked.reply}"
    agreed = await talk.say(words.for_("yes"))
    if any(deed.tool != "list_tasks" for deed in agreed.results) or len(await _titles(talk)) != 2:
        return f"a yes to two cards ran something: {agreed.reply}"
    if agreed.results:  # words that may also mean the next page of a list are taken for that, and close the cards
        await talk.say(words.for_("both", first, second))
    picked = await talk.say(words.for_("second"))
    if picked.results or picked.confirmation is None or second not in picked.confirmation.card:
        return f"picking one of two came to this: {picked.reply}"
    done = await talk.say(words.for_("yes")) if by_word else await talk.answer(picked.confirmation)
    if done is None or not done.results or second in await _titles(talk):
        return "the one that was picked was not deleted"
    return await _left(talk, first)


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
