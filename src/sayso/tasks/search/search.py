"""Finds tasks by their words: through the word index, or by scanning the list if every word is frequent."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

from sayso.database.pool import Transaction
from sayso.database.queries import statement
from sayso.tasks.search.keys import beginnings, contains
from sayso.tasks.store.rows import TaskRow, task_rows

MOST_NAMED = 2_000  # tasks with a word; if there are more, a scan of the list fills a page quickly
EVERYTHING: dict[str, Any] = dict.fromkeys(("status", "priority", "first", "last", "overdue_at", "list_key"))
_SQL = Path(__file__).parents[1] / "sql"


async def with_words(
    on: Transaction, user_id: str, words: list[str], filters: dict[str, Any], *, limit: int, offset: int
) -> list[TaskRow]:
    """A page of the tasks whose title or description has, for each of these words, a word that begins with it."""
    patterns = [contains(f" {word}") for word in words]
    return await _search(on, user_id, words, patterns, filters, titles_only=False, limit=limit, offset=offset)


async def with_phrase(on: Transaction, user_id: str, phrase: str, *, limit: int) -> list[TaskRow]:
    """The first tasks whose title has these words one after the other."""
    patterns = [contains(f" {phrase} ")]
    return await _search(on, user_id, phrase.split(), patterns, EVERYTHING, titles_only=True, limit=limit, offset=0)


async def _search(
    on: Transaction, user_id: str, words: list[str], patterns: list[str], filters: dict[str, Any], **page: Any
) -> list[TaskRow]:
    ids = await _named(on, user_id, words)
    if ids == []:
        return []
    if ids is None:
        on.later(statement(_SQL, "by_index"))
    values = filters | page | {"user_id": user_id, "patterns": patterns, "ids": ids}
    return task_rows(await on.rows(statement(_SQL, "task_search"), fresh_plan=True, **values))


async def _named(on: Transaction, user_id: str, words: list[str]) -> list[UUID] | None:
    """The tasks that have the longest of these words that is not frequent; None if all of them are frequent."""
    for word in sorted(words, key=len, reverse=True)[:5]:
        first, beyond = beginnings(word)
        query = statement(_SQL, "words_find")
        found = await on.rows(query, user_id=user_id, first=first, beyond=beyond, limit=MOST_NAMED + 1)
        if len(found) <= MOST_NAMED:
            return [task for (task,) in found]
    return None
