"""`sayso db migrate`: the roles, the schema and every migration that is missing, in one transaction.

It runs while the services do. A migration only adds, so that the previous release continues to work on the new schema.
Tables and columns that no release needs any more are removed one release later (docs/operate/run.md).
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
_LOCK = 0x5A750  # any number, the same for all who migrate
_PATIENCE = "5s"  # to wait for a table: others who need it wait as long


def migrate(url: str) -> tuple[str | None, str]:
    """Bring the database to the newest version; the versions before and after."""
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
    """The tables that still have hash partitions: a database of before version 0011 that is too large to be copied."""
    with psycopg.connect(url) as on:
        return [name for (name,) in on.execute(statement(_HERE / "sql", "partitioned"))]


def _migrate(on: Connection, driver: psycopg.Connection) -> tuple[str | None, str]:
    driver.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
    driver.execute(statement(_HERE / "sql", "roles"))
    before = current(on)
    if before is not None and before > newest():  # a newer release has been here: what it left serves us as well
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
