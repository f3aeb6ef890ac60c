"""The page on this machine, to be tried: makes a database with its schema, and serves in development mode.

    make try

Needs a PostgreSQL where databases can be made: on port 5432 of this machine, or named in SAYSO_TEST_DATABASE.
"""

import os
import secrets
import subprocess
import sys
from urllib.parse import urlsplit, urlunsplit

import psycopg

NAME = "sayso_try"
SERVER = os.environ.get("SAYSO_TEST_DATABASE", "postgresql://postgres@127.0.0.1:5432/postgres")

with psycopg.connect(SERVER, autocommit=True) as server:
    if not server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [NAME]).fetchone():
        server.execute(f"CREATE DATABASE {NAME}")

environment = os.environ | {
    "SAYSO_ENV": "development",
    "SAYSO_DATABASE_URL": urlunsplit(urlsplit(SERVER)._replace(path=f"/{NAME}")),
    "SAYSO_STATE_KEYS": os.environ.get("SAYSO_STATE_KEYS") or secrets.token_hex(32),
}
sayso = [sys.executable, "-m", "sayso.cli"]
subprocess.run([*sayso, "db", "migrate"], env=environment, check=True)  # noqa: S603  our own command
port = sys.argv[1] if len(sys.argv) > 1 else "8080"
sys.stderr.write(f"the page is at http://127.0.0.1:{port}, until you stop it with Ctrl-C\n")
os.execve(sys.executable, [*sayso, "serve", "--host", "127.0.0.1", "--port", port], environment)  # noqa: S606  the same
