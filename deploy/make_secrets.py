"""Makes the secrets of a new deployment, each in a file of its own; what is there already is left as it is.

    python deploy/make_secrets.py deploy/secrets

The folder is for its owner alone. The files in it can be read by whoever they are given to: a container has another
user, and is given one file at a time. Nothing here has a default, and nothing is printed.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import sys
from collections.abc import Callable
from pathlib import Path

ROUNDS = 20_000  # of hashing, for a password of 256 bits that nobody chose
LINK = "sayso"  # the name of Sayso's own link at the broker


def make_secrets(folder: Path) -> list[str]:
    """Make what is missing; the names of what was made."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    made: list[str] = []

    def keep(name: str, make: Callable[[], str]) -> str:
        file = folder / name
        if not file.exists():
            file.write_text(f"{make()}\n", "utf-8")
            file.chmod(0o444)
            made.append(name)
        return file.read_text("utf-8").strip()

    owner = keep("postgres_password", _password)
    login = keep("login_password", _password)
    keep("migrate_database_url", lambda: f"postgresql://postgres:{owner}@postgres/sayso")
    keep("sayso_database_url", lambda: f"postgresql://sayso_login:{login}@postgres/sayso")
    counting = keep("redis_password", lambda: f"requirepass {_password()}").removeprefix("requirepass ")
    keep("sayso_redis_url", lambda: f"redis://:{counting}@redis:6379/0")
    link = keep("mqtt_password", _password)
    keep("mosquitto_passwords", lambda: f"{LINK}:{hashed(link)}")
    keep("sayso_mqtt_url", lambda: f"mqtt://{LINK}:{link}@mosquitto")
    keep("sayso_state_keys", _password)
    return made


def hashed(password: str) -> str:
    """A password as Mosquitto keeps it."""
    salt = secrets.token_bytes(12)
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS, 64)
    return f"$7${ROUNDS}${base64.b64encode(salt).decode()}${base64.b64encode(key).decode()}"


def _password() -> str:
    return secrets.token_hex(32)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Name the folder for the secrets: python deploy/make_secrets.py deploy/secrets")
    make_secrets(Path(sys.argv[1]))
