"""Alembic's environment: runs the migrations as the owner of the schema, in one transaction on the given connection."""

from __future__ import annotations

from alembic import context
from sqlalchemy import text

connection = context.config.attributes["connection"]
connection.execute(text("SET LOCAL ROLE sayso_owner"))
connection.execute(text("SET LOCAL search_path = sayso, public"))
context.configure(connection=connection, version_table="schema_version", version_table_schema="sayso")
context.run_migrations()
