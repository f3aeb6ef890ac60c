"""What is bound to a card, and how each of it is altered in the database, with values of the right type."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import msgspec
import psycopg
from psycopg.rows import dict_row

from sayso.assistant.questions import digest
from sayso.assistant.values import Asked, Card
from sayso.decision import Confirm
from sayso.tasks.service import TOOLS

Json = dict[str, Any]
SETTLED = ("done", "failed", "stale", "expired", "declined", "superseded")


class Near(NamedTuple):
    """What an altered value may be taken from: things that exist."""

    meant: str
    task: str
    title: str
    conversation: UUID
    stranger: str
    strangers_conversation: UUID


def _other(rng: Random, text: str) -> str:
    """Another text, most often one that differs by little."""
    place, letter = rng.randrange(len(text) or 1), rng.choice("abcdefghijklmnopqrstuvwxyz0123456789 \u200b")
    return rng.choice([text[:place] + letter + text[place + 1 :], text + letter, text[:-1], text.upper() + letter])


def _different(make: Callable[[], Any], value: Any) -> Any:
    while (made := make()) == value:
        pass
    return made


def _tool(rng: Random, asked: Json, _near: Near) -> None:
    decision = asked["decision"]
    decision["tool"] = _different(lambda: rng.choice([*TOOLS, _other(rng, decision["tool"])]), decision["tool"])


def _argument(name: str) -> Callable[[Random, Json, Near], None]:
    def alter(rng: Random, asked: Json, near: Near) -> None:
        given = asked["decision"]["arguments"]
        choices = [near.task, near.title, str(uuid4()), _other(rng, str(given[name]))]
        given[name] = _different(lambda: rng.choice(choices), given[name])

    return alter


def _argument_more(rng: Random, asked: Json, near: Near) -> None:
    name = rng.choice(["new_title", "new_due", "new_status", "limit", "title"])
    asked["decision"]["arguments"][name] = near.title


def _argument_less(rng: Random, asked: Json, _near: Near) -> None:
    given = asked["decision"]["arguments"]
    given.pop(rng.choice(list(given)))


def _version(rng: Random, asked: Json, _near: Near) -> None:
    versions = asked["versions"]
    name = rng.choice(list(versions))
    versions[name] = _different(lambda: rng.choice([0, rng.randint(1, 5), rng.randrange(2**31)]), versions[name])


def _version_less(rng: Random, asked: Json, near: Near) -> None:
    versions = asked["versions"]
    value = versions.pop(rng.choice(list(versions)))
    if rng.random() < 0.5:
        versions[near.task] = value


def _text(rng: Random, asked: Json, _near: Near) -> None:
    asked["card"]["card"] = _different(lambda: _other(rng, asked["card"]["card"]), asked["card"]["card"])


def _question(rng: Random, asked: Json, _near: Near) -> None:
    decision = asked["decision"]
    decision["question"] = _different(lambda: _other(rng, decision["question"]), decision["question"])


def _end(rng: Random, asked: Json, _near: Near) -> None:
    until = datetime.fromisoformat(asked["card"]["expires_at"]) + timedelta(seconds=rng.randint(1, 10**7))
    asked["card"]["expires_at"] = until.isoformat(timespec="seconds")


def _id(_rng: Random, asked: Json, _near: Near) -> None:
    asked["card"]["id"] = str(uuid4())


def _digest(rng: Random, asked: Json, _near: Near) -> None:
    asked["card"]["digest"] = rng.randbytes(32).hex()


def _record(rng: Random, asked: Json, near: Near) -> None:
    record = asked["card"]["record"]
    asked["card"]["record"] = rng.choice([None, record | {"title": near.title + "!"}, record | {"id": near.task + "0"}])


def _undo_days(rng: Random, asked: Json, _near: Near) -> None:
    asked["card"]["undo_days"] = rng.randint(31, 10_000)


IN_THE_QUESTION: dict[str, Callable[[Random, Json, Near], None]] = {
    "tool": _tool,
    "argument task_identifier": _argument("task_identifier"),
    "argument new_title": _argument("new_title"),
    "argument new_due": _argument("new_due"),
    "argument new_priority": _argument("new_priority"),
    "an argument more": _argument_more,
    "an argument less": _argument_less,
    "version": _version,
    "versions": _version_less,
    "text of the card": _text,
    "record on the card": _record,
    "days on the card": _undo_days,
    "question": _question,
    "end": _end,
    "id": _id,
    "digest": _digest,
}
IN_THE_ROW: dict[str, Callable[[Random, Json, Near], Json]] = {
    "tool": lambda rng, row, _near: {"tool": _different(lambda: rng.choice([*TOOLS, "drop_database"]), row["tool"])},
    "end": lambda rng, row, _near: {"expires_at": row["expires_at"] + timedelta(seconds=rng.randint(1, 10**7))},
    "conversation": lambda _rng, _row, near: {"conversation_id": near.conversation},
    "user": lambda _rng, _row, near: {"user_id": near.stranger, "conversation_id": near.strangers_conversation},
    "state": lambda rng, row, _near: {"state": rng.choice(SETTLED), "settled_at": row["expires_at"]},
    "definition": lambda rng, _row, _near: {"definition": rng.randbytes(32)},
    "digest": lambda rng, _row, _near: {"digest": rng.randbytes(32).hex()},
}


def altered_digest(rng: Random, shown: str) -> str:
    """Another digest than the one that was shown."""
    place = rng.randrange(64)
    nibble = _different(lambda: rng.choice("0123456789abcdef"), shown[place])
    return rng.choice(
        [rng.randbytes(32).hex(), shown[:place] + nibble + shown[place + 1 :], shown[:-1], "", shown + "0"]
    )


class Attacker:
    """Somebody with SQL, who takes every trace of what they did away again."""

    def __init__(self, connection: psycopg.Connection, rng: Random) -> None:
        self._on, self.rng = connection, rng

    def tasks(self, *users: str) -> list[Any]:
        """All that could be done to these people's tasks."""
        query = (
            "SELECT user_id, id, version, title, status, deleted_at FROM sayso.tasks WHERE user_id = ANY(%s) ORDER BY 2"
        )
        return self._on.execute(query, (list(users),)).fetchall()

    def row(self, card: Card) -> Json:
        found = self._on.cursor(row_factory=dict_row).execute("SELECT * FROM sayso.cards WHERE id = %s", (card.id,))
        row = found.fetchone()
        if row is None:
            raise SystemExit("the card is not there")
        return row

    def alter_row(self, field: str, row: Json, near: Near) -> None:
        self._set("cards", IN_THE_ROW[field](self.rng, row, near), "id = %(key)s", row["id"])

    def alter_question(self, field: str, row: Json, near: Near, table: str) -> None:
        """In the card, or in the turn that asked; every other time with the digest that would fit."""
        asked = msgspec.json.decode(row["asked"])
        IN_THE_QUESTION[field](self.rng, asked, near)
        more = {}
        if field != "digest" and self.rng.random() < 0.5:
            asked["card"]["digest"] = _fitting(asked, row)
            more = {"digest": asked["card"]["digest"]}
        if table == "cards":
            self._set("cards", {"asked": msgspec.json.encode(asked).decode(), **more}, "id = %(key)s", row["id"])
        else:
            whole = {"asked": msgspec.json.encode([asked]).decode()}
            self._set("turns", whole, "conversation_id = %(key)s AND asked <> '[]'", row["conversation_id"])

    def put_back(self, row: Json) -> None:
        self._on.execute("DELETE FROM sayso.cards WHERE id = %s", (row["id"],))
        names, places = ", ".join(row), ", ".join(f"%({name})s" for name in row)
        self._on.execute(f"INSERT INTO sayso.cards ({names}) VALUES ({places})", row)

    def _set(self, table: str, values: Json, where: str, key: UUID) -> None:
        setting = ", ".join(f"{name} = %({name})s" for name in values)
        done = self._on.execute(f"UPDATE sayso.{table} SET {setting} WHERE {where}", {**values, "key": key})
        if done.rowcount < 1:
            raise SystemExit(f"nothing in {table} could be altered")


def _fitting(asked: Json, row: Json) -> str:
    card, decision = msgspec.convert(asked, Asked), asked["decision"]
    if card.card is None or not isinstance(card.decision, Confirm):
        raise SystemExit(f"no card is left in {decision}")
    return digest(card, (row["user_id"], str(row["conversation_id"])))
