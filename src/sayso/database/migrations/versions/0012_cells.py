"""Cells: several databases, each with some of the users. For a user who has moved, an error names the new cell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    # psycopg itself takes several statements at once; SQLAlchemy would look for parameters in them
    driver: Any = op.get_bind().connection.driver_connection
    driver.execute(Path(__file__).with_suffix(".sql").read_bytes())


def downgrade() -> None:
    raise NotImplementedError("users who moved would begin again here: restore a backup instead")
