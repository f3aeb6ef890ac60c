"""`sayso db check`: checks that the database refuses another user's rows. Each finding says what to do next."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from sayso.database.queries import statement
from sayso.database.version import newest
from sayso.errors import NotReady

_SQL = Path(__file__).parent / "sql"
TABLES = (
    "users",
    "tasks",
    "words",
    "answers",
    "confirmations",
    "conversations",
    "turns",
    "cards",
    "preferences",
    "backs",
    "trail",
    "trails",
    "changes",
    "occurrences",
    "reminder_settings",
    "reminders",
    "channels",
    "deliveries",
    "grants",
    "machines",
    "commands",
    "metrics",
    "readings",
    "orders",
)
POLICY = "(user_id = NULLIF(current_setting('app.user_id'::text, true), ''::text))"
OLDEST_SERVER = 140000
_AGAIN = "Run `sayso db migrate` on a new database, or restore the schema from it."


class Finding(NamedTuple):
    """A problem of the database, and how to fix it."""

    problem: str
    remedy: str


def check(url: str, *, in_production: bool) -> list[Finding]:
    """The problems that make this database unsafe to use; empty if it is safe."""
    try:
        with psycopg.connect(url) as connection:
            return list(findings(connection, in_production=in_production))
    except psycopg.OperationalError as problem:
        raise no_connection(problem) from problem


def no_connection(problem: psycopg.OperationalError) -> NotReady:
    """The error for a server that does not answer or a database that does not exist, with its remedy."""
    reason = str(problem).strip().partition("\n")[0]
    if re.search(r'database "[^"]*" does not exist', reason):
        return NotReady(f"{reason}. Create it with createdb, or set SAYSO_DATABASE_URL to another one.")
    return NotReady(f"no connection: {reason}. Is PostgreSQL running, and SAYSO_DATABASE_URL right?")


def findings(on: psycopg.Connection, *, in_production: bool) -> Iterator[Finding]:
    """The problems, found on an open connection."""
    if on.info.server_version < OLDEST_SERVER:
        yield Finding("the server is older than PostgreSQL 14", "Use a newer one.")
    if on.info.parameter_status("server_encoding") != "UTF8":
        yield Finding(
            "the encoding of the database is not UTF-8", "Create it again: CREATE DATABASE … ENCODING 'UTF8';"
        )
    roles = {row[0]: row for row in _rows(on, "check_roles")}
    if missing := {"sayso_owner", "sayso_app"} - set(roles):
        yield Finding(f"no role {' and '.join(sorted(missing))}", "Run `sayso db migrate` as a superuser.")
        return
    yield from _roles(roles)
    yield from _login(on, in_production=in_production)
    version = _version(on)
    if version is None or version < newest():  # a newer schema also supports the previous release: see migrate.py
        found = f"version {version}" if version else "no schema"
        yield Finding(f"{found}, where {newest()} is needed", "Run `sayso db migrate`.")
        return
    for table in TABLES:
        yield from _table(on, table)
    yield from _unset(on)


def _roles(roles: dict[str, Any]) -> Iterator[Finding]:
    for name, can_login, is_super, bypasses, owns in roles.values():
        if can_login:
            yield Finding(f"{name} can log in", f"ALTER ROLE {name} NOLOGIN; log in as a role that is a member of it.")
        if is_super:
            yield Finding(f"{name} is a superuser", f"ALTER ROLE {name} NOSUPERUSER;")
        if bypasses:
            yield Finding(f"{name} bypasses row security", f"ALTER ROLE {name} NOBYPASSRLS;")
        if owns:
            yield Finding(f"{name} is a member of sayso_owner", f"REVOKE sayso_owner FROM {name};")


def _login(on: psycopg.Connection, *, in_production: bool) -> Iterator[Finding]:
    ((name, is_super, bypasses, owns, works),) = _rows(on, "check_login")
    if not works:
        yield Finding(f"{name} may not become sayso_app", f"GRANT sayso_app TO {name};")
    if in_production and (is_super or bypasses or owns):
        why = "a superuser" if is_super else "not subject to row security" if bypasses else "a member of sayso_owner"
        yield Finding(
            f"the login role {name} is {why}",
            "CREATE ROLE sayso_login LOGIN; GRANT sayso_app TO sayso_login; and use it in SAYSO_DATABASE_URL. "
            "(SAYSO_ENV=development allows this role.)",
        )


def _version(on: psycopg.Connection) -> str | None:
    with on.transaction():
        found = on.execute("SELECT to_regclass('sayso.schema_version') IS NOT NULL").fetchone()
        if not found or not found[0]:
            return None
    with on.transaction():
        version = on.execute("SELECT version_num FROM sayso.schema_version").fetchone()
        return version[0] if version else None


def _table(on: psycopg.Connection, table: str) -> Iterator[Finding]:
    for name, owner, enabled, forced, is_partition, rights in _rows(on, "check_tables", table=table):
        if owner != "sayso_owner":
            yield Finding(f"{name} belongs to {owner}", f"ALTER TABLE sayso.{name} OWNER TO sayso_owner;")
        if not enabled:
            yield Finding(f"{name} has no row security", f"ALTER TABLE sayso.{name} ENABLE ROW LEVEL SECURITY;")
        if not forced:
            yield Finding(f"{name} does not force row security", f"ALTER TABLE sayso.{name} FORCE ROW LEVEL SECURITY;")
        if is_partition and rights:
            yield Finding(f"{name} is open to others", f"REVOKE ALL ON sayso.{name} FROM PUBLIC, sayso_app;")
    policies = _rows(on, "check_policies", table=table)
    if [row[1:] for row in policies] != [("PERMISSIVE", "ALL", "{public}", POLICY, POLICY)]:
        yield Finding(f"the policies of {table} were changed", _AGAIN)


def _unset(on: psycopg.Connection) -> Iterator[Finding]:
    """If no user is set, no row may be visible."""
    for table in TABLES:
        with on.transaction(force_rollback=True):
            try:
                on.execute("SELECT set_config('role', 'sayso_app', true)")
                seen = on.execute(f"SELECT 1 FROM sayso.{table} LIMIT 1").fetchone()  # noqa: S608  names of ours
            except psycopg.errors.InsufficientPrivilege:
                yield Finding(f"sayso_app may not read {table}", _AGAIN)
                continue
        if seen:
            yield Finding(f"{table} shows rows although no user is set", _AGAIN)


def _rows(on: psycopg.Connection, name: str, **values: Any) -> list[Any]:
    return on.execute(statement(_SQL, name), values).fetchall()
