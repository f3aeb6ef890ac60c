"""Fills databases for measure.py: people with their lists, long lists, long conversations.

Straight into the tables, in the order of the keys, so that ten million tasks take minutes. Whoever is filled in this
way can speak: only the trails of long conversations are made up, and would not verify.
"""

from __future__ import annotations

import threading
import time
from hashlib import md5
from typing import Any
from uuid import UUID

import psycopg

from benchmarks.harness.services import Progress

VERBS = ("Buy", "Call", "Write", "Read", "Fix", "Plan", "Clean", "Send", "Check", "Book")
NOUNS = ("milk", "the bank", "report", "letter", "invoice", "garden", "kitchen", "tickets", "car", "dentist", "printer")
AT_ONCE = 500_000  # rows of one statement
TALK_ENTRIES = 5  # entries of the trail that a turn leaves

NAMED = "%(prefix)s || lpad(person::text, 7, '0')"
USERS = f"""
INSERT INTO sayso.users (user_id, zone, language)
SELECT {NAMED}, 'UTC', 'en' FROM generate_series(%(first)s::integer, %(last)s::integer) AS person
"""
TRAILS = f"""
INSERT INTO sayso.trails (user_id, number, hash)
SELECT user_id, 0, sha256(convert_to(E'sayso trail 1\\n' || user_id, 'UTF8'))
FROM (SELECT {NAMED} AS user_id FROM generate_series(%(first)s::integer, %(last)s::integer) AS person) AS named
"""
CONVERSATIONS = f"""
INSERT INTO sayso.conversations (user_id, id, created_at)
SELECT user_id, md5(user_id)::uuid, now() - interval '1 day'
FROM (SELECT {NAMED} AS user_id FROM generate_series(%(first)s::integer, %(last)s::integer) AS person) AS named
"""
LISTED = f"""
SELECT
    {NAMED} AS user_id,
    md5(person || ' ' || number)::uuid AS id,
    (%(verbs)s::text[])[1 + mod(number, 10)] || ' ' || (%(nouns)s::text[])[1 + mod(number / 10 + person, 11)] || ' '
        || number AS title,
    person, number
FROM generate_series(%(first)s::integer, %(last)s::integer) AS person
CROSS JOIN generate_series(1, %(tasks)s::integer) AS number
"""
TASKS = f"""
INSERT INTO sayso.tasks (user_id, id, title, title_key, due_date, status, completed_at)
SELECT
    user_id, id, title, lower(title),
    CASE WHEN mod(number, 3) = 0 THEN current_date + mod(number, 60) END,
    CASE WHEN mod(number, 4) = 0 THEN 'completed' ELSE 'pending' END,
    CASE WHEN mod(number, 4) = 0 THEN now() END
FROM ({LISTED}) AS listed
"""
WORDS = f"""
INSERT INTO sayso.words (user_id, word, task_id)
SELECT user_id, unnest(string_to_array(lower(title), ' ')), id FROM ({LISTED}) AS listed
"""
# As a real turn leaves them: what it says and answers is about as long.
TURNS = f"""
INSERT INTO sayso.turns (
    user_id, conversation_id, number, id, client_message_id, message, state, lang, reply, shown, asked, answer,
    trail_number, created_at
)
SELECT
    user_id, md5(user_id)::uuid, number, md5(user_id || number)::uuid, 'filled ' || number, 'show my tasks', 'done',
    'en',
    'You have 10 tasks: call the bank, write the report, buy milk, clean the kitchen, book tickets.',
    ARRAY[md5('a')::uuid::text, md5('b')::uuid::text, md5('c')::uuid::text], '[]',
    repeat('{{"status": "success"}}', 60), number * {TALK_ENTRIES}, now() - interval '1 day'
FROM (
    SELECT {NAMED} AS user_id, number
    FROM generate_series(%(first)s::integer, %(last)s::integer) AS person
    CROSS JOIN generate_series(1, %(turns)s::integer) AS number
) AS named
"""
TRAIL = f"""
INSERT INTO sayso.trail (user_id, number, at, kind, conversation_id, body, salt, body_hash, hash)
SELECT
    user_id, number, now() - interval '1 day', 'reply', md5(user_id)::uuid, repeat('{{"text": "done"}}', 12),
    decode(md5(user_id || number), 'hex'), sha256(convert_to(user_id || number, 'UTF8')),
    sha256(convert_to(number || user_id, 'UTF8'))
FROM (
    SELECT {NAMED} AS user_id, number
    FROM generate_series(%(first)s::integer, %(last)s::integer) AS person
    CROSS JOIN generate_series(1, %(turns)s::integer * {TALK_ENTRIES}) AS number
) AS named
"""
ENDS = f"""
UPDATE sayso.trails SET number = %(turns)s::integer * {TALK_ENTRIES}
WHERE user_id IN (SELECT {NAMED} FROM generate_series(%(first)s::integer, %(last)s::integer) AS person)
"""


def name_of(prefix: str, person: int) -> str:
    return f"{prefix}{person:07}"


def conversation_of(name: str) -> UUID:
    """The conversation that a filled person has."""
    return UUID(md5(name.encode(), usedforsecurity=False).hexdigest())


def fill(url: str, prefix: str, people: int, tasks: int, *, turns: int = 0, fresh: bool = False) -> float:
    """So many people, each with so many tasks, and where wanted so many turns behind them; how long it took. In a fresh
    database it is one transaction that empties the tables first: then nothing of it need go through the log."""
    began = time.monotonic()
    values: dict[str, Any] = {"prefix": prefix, "tasks": tasks, "turns": turns, "verbs": list(VERBS)}
    values["nouns"] = list(NOUNS)
    progress = Progress(f"{prefix.strip()}: people", people * 2)
    values |= {"people": people, "fresh": fresh}
    halves = [
        ("users, trails, conversations, tasks, turns, cards, trail", (USERS, TRAILS, CONVERSATIONS, TASKS)),
        ("words", (WORDS,)),
    ]
    if turns:
        halves[0] = (halves[0][0], (*halves[0][1], TURNS, TRAIL, ENDS))
    threads = [threading.Thread(target=_run, args=(url, *half, values, progress)) for half in halves]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")
    return time.monotonic() - began


def _run(url: str, tables: str, statements: tuple[str, ...], values: dict[str, Any], on: Progress) -> None:
    step = max(1, AT_ONCE // max(values["tasks"], values["turns"], 1))
    people = values["people"]
    with psycopg.connect(url) as connection:
        connection.execute("SET session_replication_role = replica")  # no counting of changes, no looking for parents
        connection.execute("SET work_mem = '256MB'")
        connection.execute("SET search_path = sayso")
        if values["fresh"]:
            connection.execute(f"TRUNCATE {tables}")
        for first in range(1, people + 1, step):
            last = min(first + step - 1, people)
            for statement in statements:
                connection.execute(statement, values | {"first": first, "last": last})
            on.step(last - first + 1)
