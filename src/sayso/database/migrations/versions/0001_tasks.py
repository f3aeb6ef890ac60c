"""Users, tasks, stored answers and consumed confirmations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    # psycopg itself takes several statements at once; SQLAlchemy would look for parameters in them
    driver: Any = op.get_bind().connection.driver_connection
    driver.execute(Path(__file__).with_suffix(".sql").read_bytes())


def downgrade() -> None:
    raise NotImplementedError("tasks are not thrown away by a migration: restore a backup instead")
