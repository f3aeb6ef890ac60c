"""Conversations: turns, cards, preferences, undo steps and the trail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    # psycopg itself takes several statements at once; SQLAlchemy would look for parameters in them
    driver: Any = op.get_bind().connection.driver_connection
    driver.execute(Path(__file__).with_suffix(".sql").read_bytes())


def downgrade() -> None:
    raise NotImplementedError("conversations are not thrown away by a migration: restore a backup instead")
