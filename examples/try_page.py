"""The assistant on a page, to try: a database of its own, development mode, everything on this machine.

    make try
    make try MACHINES=8

The database is `sayso_try` on the server of SAYSO_TRY_SERVER, made when it is not there, and kept. With machines there
is a simulated fleet of whoever signs in as ada, over the broker of SAYSO_TRY_BROKER. In development mode anybody who
reaches the page may sign in as anybody, so it listens on this machine alone.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

SERVER = os.environ.get("SAYSO_TRY_SERVER", "postgresql://postgres@127.0.0.1:5432/postgres")
DATABASE = "sayso_try"
BROKER = os.environ.get("SAYSO_TRY_BROKER", "mqtt://127.0.0.1")
OWNER = "ada"
KEY = "only-for-trying-it-on-this-machine"  # sessions of a page that nobody else reaches


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", default="8080")
    parser.add_argument("--database", default=DATABASE)
    parser.add_argument("--machines", type=int, default=0, help=f"so many simulated machines, of {OWNER}")
    options = parser.parse_args()
    try:
        make(options.database)
    except psycopg.OperationalError as problem:
        sys.exit(
            f"no PostgreSQL: {problem}\nStart one, or name yours: SAYSO_TRY_SERVER=postgresql://USER@HOST/postgres"
        )
    environment = os.environ | {
        "SAYSO_ENV": "development",
        "SAYSO_DATABASE_URL": make_conninfo(SERVER, dbname=options.database),
        "SAYSO_STATE_KEYS": KEY,
    }
    sayso, who = [sys.executable, "-m", "sayso.cli"], "with any name"
    if options.machines:
        environment |= {"SAYSO_MQTT_URL": BROKER}
        who = f"as {OWNER}, who has {options.machines} machines"
    subprocess.run([*sayso, "db", "migrate"], env=environment, check=True)  # noqa: S603  our own command
    if options.machines:  # they end with us: Ctrl-C goes to all
        fleet = [*sayso, "devices", "simulate", "--user", OWNER, "--machines", str(options.machines), "--every", "2"]
        subprocess.Popen(fleet, env=environment)  # noqa: S603  the same
    sys.stdout.write(f"\n  Open http://127.0.0.1:{options.port} and sign in {who}. Ctrl-C ends it.\n\n")
    sys.stdout.flush()
    os.execve(sys.executable, [*sayso, "serve", "--port", options.port], environment)  # noqa: S606  the same


def make(database: str) -> None:
    """The database, where it is not there yet."""
    with psycopg.connect(SERVER, autocommit=True, connect_timeout=5) as on:
        if on.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database]).fetchone() is None:
            on.execute(SQL("CREATE DATABASE {}").format(Identifier(database)))


if __name__ == "__main__":
    main()
