"""Stores the leases of reminders in a separate column."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    # psycopg itself takes several statements at once; SQLAlchemy would look for parameters in them
    driver: Any = op.get_bind().connection.driver_connection
    driver.execute(Path(__file__).with_suffix(".sql").read_bytes())


def downgrade() -> None:
    raise NotImplementedError("a reminder that is being sent would be sent again: restore a backup instead")
