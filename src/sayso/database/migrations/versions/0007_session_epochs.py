"""Session epochs: a number per user that the user's page sessions contain."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    # psycopg itself takes several statements at once; SQLAlchemy would look for parameters in them
    driver: Any = op.get_bind().connection.driver_connection
    driver.execute(Path(__file__).with_suffix(".sql").read_bytes())


def downgrade() -> None:
    raise NotImplementedError("sessions that were ended would count again: restore a backup instead")
