"""Background jobs: procrastinate's own tables, in a separate schema.

They hold ids and no text of users, so they need no row security.
"""

from __future__ import annotations

from typing import Any

from alembic import op
from procrastinate.schema import SchemaManager

revision = "0003"
down_revision = "0002"

_RIGHTS = """
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA sayso_jobs TO sayso_app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA sayso_jobs TO sayso_app;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA sayso_jobs TO sayso_app;
"""


def upgrade() -> None:
    driver: Any = op.get_bind().connection.driver_connection
    driver.execute("SET LOCAL search_path = sayso_jobs, public")
    driver.execute(SchemaManager.get_schema().encode())
    driver.execute(_RIGHTS)
    driver.execute("SET LOCAL search_path = sayso, public")


def downgrade() -> None:
    raise NotImplementedError("conversations are not thrown away by a migration: restore a backup instead")
