"""`sayso db migrate`: creates the roles and the schema, and runs every missing migration, in one transaction.

The services can run meanwhile. A migration only adds, so that the previous release works on the new schema. Tables and
columns that no release needs any more are removed one release later (docs/operate/run.md).
"""

from __future__ import annotations

from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import NullPool

from sayso.database.check import no_connection
from sayso.database.queries import statement
from sayso.database.version import newest
from sayso.errors import NotReady

_HERE = Path(__file__).parent
_LOCK = 0x5A750  # the key of the lock that all migrations share
_PATIENCE = "5s"  # to wait for the lock on a table; other queries of the table wait as long


def migrate(url: str) -> tuple[str | None, str]:
    """Migrate the database to the newest version. Returns the versions before and after."""
    try:
        driver = psycopg.connect(url)
    except psycopg.OperationalError as problem:
        raise no_connection(problem) from problem
    try:
        with create_engine("postgresql+psycopg://", creator=lambda: driver, poolclass=NullPool).begin() as on:
            return _migrate(on, driver)
    except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected) as problem:
        raise NotReady("a table was in use for too long, and nothing was changed. Run it again.") from problem
    except psycopg.errors.InsufficientPrivilege as problem:
        raise NotReady(
            f"{problem}. Migrate as a superuser, or as a role that owns the database and may create roles (CREATEROLE)."
        ) from problem


def partitioned(url: str) -> list[str]:
    """The tables that still have hash partitions: the migration to version 0011 leaves them in large databases."""
    with psycopg.connect(url) as on:
        return [name for (name,) in on.execute(statement(_HERE / "sql", "partitioned"))]


def _migrate(on: Connection, driver: psycopg.Connection) -> tuple[str | None, str]:
    driver.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
    driver.execute(statement(_HERE / "sql", "roles"))
    before = current(on)
    if before is not None and before > newest():  # a newer release migrated it, and this release works on its schema
        return before, before
    driver.execute("SELECT set_config('lock_timeout', %s, true)", (_PATIENCE,))
    config = _config()
    config.attributes["connection"] = on
    command.upgrade(config, "head")
    driver.execute("GRANT SELECT ON sayso.schema_version TO sayso_app")
    return before, newest()


def current(on: Connection) -> str | None:
    """The version of the database."""
    options = {"version_table": "schema_version", "version_table_schema": "sayso"}
    return MigrationContext.configure(on, opts=options).get_current_revision()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_HERE / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
