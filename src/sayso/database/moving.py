"""Moves a user from one database to another, so that several databases can share the users (docs/scale.md).

The user's transactions wait while the rows are copied. Nothing is lost if the move is killed: the user stays in the old
database until it names the new one, and running the move again completes it. The move acts as the owner of the schema
in both databases.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import LiteralString, NamedTuple

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Composed, Identifier

from sayso.database.deadlines import network_parameters
from sayso.database.queries import statement
from sayso.errors import NotReady

_SQL = Path(__file__).parent / "sql"
_ARRIVING = ""  # `lives_in` of a user whose rows are being copied
_BATCH = 500  # rows
_ROWS = "SELECT t::text FROM {table} AS t WHERE user_id = current_setting('app.user_id') ORDER BY t::text COLLATE \"C\""
_DELETE = "DELETE FROM {table} WHERE user_id = current_setting('app.user_id')"
_INSERT = (
    "INSERT INTO {table} ({columns}) SELECT {fields} FROM"
    " (SELECT each::{table} AS row FROM unnest(%s::text[]) AS each OFFSET 0) AS given"
)
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 12))"  # the key that the function `here` locks
_PATIENCE = "10s"  # to wait for a turn of the user; after that the move fails, and the user's turns continue


class _Table(NamedTuple):
    schema: str
    name: str
    columns: list[str]

    def of(self, query: LiteralString) -> Composed:
        """A statement for this table. It fills in {table}, {columns} and {fields}, which are the columns of `row`."""
        return SQL(query).format(
            table=Identifier(self.schema, self.name),
            columns=SQL(", ").join(map(Identifier, self.columns)),
            fields=SQL(", ").join(SQL("(row).{}").format(Identifier(name)) for name in self.columns),
        )


def move(source_url: str, target_url: str, user_id: str, cell: str) -> int:
    """Move a user, and return the number of rows. `cell` is the name of the target's cell. Raises NotReady if the
    user cannot be moved now; nothing is changed then."""
    with _connected(source_url) as source, _connected(target_url) as target:
        tables = _tables(source)
        if tables != _tables(target):
            raise NotReady("the two databases have different versions. Run `sayso db migrate` on both.")
        rows = _copy(source, target, tables, user_id, cell)
        _arrive(target, user_id)
    return rows


def _copy(source: psycopg.Connection, target: psycopg.Connection, tables: list[_Table], user_id: str, cell: str) -> int:
    """Copy the rows, then set the user's cell in the source. The user is in the source before that, and in the target
    after."""
    with source.transaction():
        _own(source, user_id)
        lives_in = _lives_in(source, user_id)
        if lives_in == cell:
            return 0  # an earlier move got this far
        if lives_in == _ARRIVING:
            raise NotReady(f"an earlier move of {user_id} to this database is not complete. Run it again first.")
        if lives_in is not None:
            raise NotReady(f"the data of {user_id} is in {lives_in}, not in this database. Run the move there.")
        if _number(source, statement(_SQL, "move_waiting"), user_id=user_id):
            raise NotReady(f"a turn or a reminder of {user_id} is under way. Run it again in a minute.")
        with target.transaction():
            _own(target, user_id)
            if _lives_in(target, user_id) is None and any(_digest(target, table)[0] for table in tables):
                raise NotReady(
                    f"the target database already has data of {user_id}. Nothing was changed: check which of the two "
                    "is current."
                )
            _delete(target, tables)
            copied = {table.name: _copied(source, target, table) for table in tables}
            for table in tables:
                if _digest(target, table) != copied[table.name]:
                    raise NotReady(f"the rows of {table.name} differ after copying, and nothing was moved")
            target.execute(
                "INSERT INTO users (user_id, zone, language, lives_in) VALUES (%(id)s, 'UTC', 'en', %(state)s)"
                " ON CONFLICT (user_id) DO UPDATE SET lives_in = %(state)s",
                {"id": user_id, "state": _ARRIVING},
            )
        _leave(source, tables, user_id, cell)
    return sum(rows for rows, _ in copied.values())


def _leave(on: psycopg.Connection, tables: list[_Table], user_id: str, cell: str) -> None:
    """Delete the user's rows, except one with the name of the cell and the session epoch, which signing in needs."""
    row = on.execute("SELECT session_epoch FROM users WHERE user_id = %s", (user_id,)).fetchone()
    _delete(on, tables)
    on.execute(
        "INSERT INTO users (user_id, zone, language, session_epoch, lives_in) VALUES (%s, 'UTC', 'en', %s, %s)",
        (user_id, row[0] if row else 0, cell),
    )


def _arrive(on: psycopg.Connection, user_id: str) -> None:
    with on.transaction():
        _own(on, user_id)
        on.execute("UPDATE users SET lives_in = NULL WHERE user_id = %s AND lives_in = ''", (user_id,))


@contextmanager
def _connected(url: str) -> Iterator[psycopg.Connection]:
    try:
        with psycopg.connect(make_conninfo(url, **network_parameters(url)), autocommit=True) as on:
            yield on
    except psycopg.errors.InsufficientPrivilege as problem:
        raise NotReady("this role may not move users: name the one that migrates, a member of sayso_owner") from problem
    except psycopg.errors.LockNotAvailable as problem:
        raise NotReady("a turn of the user takes too long, and nothing was moved. Run it again.") from problem
    except psycopg.OperationalError as problem:
        raise NotReady(f"a database does not answer: {problem}. Run it again: that completes the move.") from problem


def _own(on: psycopg.Connection, user_id: str) -> None:
    """Act as the owner of the schema, on the rows of this user only, and lock the user."""
    on.execute(statement(_SQL, "move_as_owner"), {"user_id": user_id})
    on.execute("SELECT set_config('lock_timeout', %s, true)", (_PATIENCE,))
    on.execute("SET CONSTRAINTS ALL IMMEDIATE")  # triggers run before the rows are compared
    on.execute(_LOCK, (user_id,))


def _tables(on: psycopg.Connection) -> list[_Table]:
    return [_Table(*row) for row in on.execute(statement(_SQL, "move_tables"))]


def _lives_in(on: psycopg.Connection, user_id: str) -> str | None:
    row = on.execute("SELECT lives_in FROM users WHERE user_id = %s", (user_id,)).fetchone()
    return row[0] if row else None


def _number(on: psycopg.Connection, query: bytes, **values: str) -> int:
    row = on.execute(query, values).fetchone()
    return int(row[0]) if row else 0


def _copied(source: psycopg.Connection, target: psycopg.Connection, table: _Table) -> tuple[int, str]:
    """Copy the user's rows of one table, and return their number and digest. A row is copied as text, which represents
    every value exactly."""
    target.execute(table.of(_DELETE))  # triggers of other tables may have written some
    count, hashed = 0, sha256()
    rows = source.cursor().stream(table.of(_ROWS))
    while batch := [row for (row,) in islice(rows, _BATCH)]:
        target.execute(table.of(_INSERT), (batch,))
        count += len(batch)
        hashed.update("".join(batch).encode())
    return count, hashed.hexdigest()


def _digest(on: psycopg.Connection, table: _Table) -> tuple[int, str]:
    count, hashed = 0, sha256()
    for (row,) in on.cursor().stream(table.of(_ROWS)):
        count += 1
        hashed.update(row.encode())
    return count, hashed.hexdigest()


def _delete(on: psycopg.Connection, tables: list[_Table]) -> None:
    for table in reversed(tables):
        on.execute(table.of(_DELETE))
    for table in tables[::-1][:2]:  # triggers of the others wrote them again
        on.execute(table.of(_DELETE))
