"""Prepares `sayso serve --try`: a separate database, development mode, loopback only."""

from __future__ import annotations

import os
import socket
import threading
import time
from ipaddress import ip_address

import psycopg
import typer
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from sayso.database.migrate import migrate
from sayso.errors import NotReady

# Where PostgreSQL's own variables (PGHOST, PGPORT, PGUSER, PGPASSWORD) say nothing else.
USUAL = {"host": ("PGHOST", "127.0.0.1"), "user": ("PGUSER", "postgres")}
DATABASE = "sayso_try"
KEY = "only-for-trying-it-on-this-machine"  # sessions of a page that nobody else reaches


def prepare_trial(*, host: str, port: int) -> None:
    """The database, made when it is not there and kept; and the settings of this process and its workers."""
    if not _is_loopback(host):
        raise typer.BadParameter(
            "anyone who can open the page can sign in as anyone: use 127.0.0.1", param_hint="--host"
        )
    if _answers(host, port):
        raise typer.BadParameter("the port is in use: choose another one", param_hint="--port")
    url = _database({key: usual for key, (name, usual) in USUAL.items() if name not in os.environ})
    migrate(url)
    os.environ.update(SAYSO_ENV="development", SAYSO_DATABASE_URL=url, SAYSO_STATE_KEYS=KEY)
    threading.Thread(target=_announce, args=(host, port), daemon=True).start()


def _announce(host: str, port: int) -> None:
    """Say where the page is, once it is there: nobody should open it too early."""
    for _ in range(600):
        if _answers(host, port):
            typer.echo(f"Open http://{host}:{port} and sign in with any name. Ctrl-C ends it.")
            return
        time.sleep(0.1)


def _answers(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _database(server: dict[str, str]) -> str:
    try:
        with psycopg.connect(make_conninfo(**server, dbname="postgres"), autocommit=True, connect_timeout=5) as on:
            if on.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone() is None:
                on.execute(SQL("CREATE DATABASE {}").format(Identifier(DATABASE)))
    except psycopg.Error as problem:
        reason = str(problem).strip().partition("\n")[0]
        raise NotReady(
            f"no PostgreSQL to make a database in ({reason}). Start one on this machine, with Docker: docker run -d "
            "-p 127.0.0.1:5432:5432 -e POSTGRES_HOST_AUTH_METHOD=trust postgres; or name yours with PGHOST, PGPORT, "
            "PGUSER and PGPASSWORD"
        ) from None
    return make_conninfo(**server, dbname=DATABASE)
