"""What the tests of the deployment share: services as an operator runs them, on this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
from uuid import uuid4

import psycopg
import pytest
from standing import ROOT, SAYSO, plain_environment

KEY = "0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="session")
def deploy_folder():
    return ROOT / "deploy"


@pytest.fixture(scope="session")
def login_url(server, url):
    """The database as the services log in to it: by a role that can do nothing but become sayso_app."""
    name = f"sayso_login_{uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {name} LOGIN IN ROLE sayso_app")
    yield psycopg.conninfo.make_conninfo(url, user=name)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP ROLE {name}")


@pytest.fixture(scope="session")
def production(login_url, redis_url):
    """The variables of a service in production; the identity provider is asked when a token comes, and none does."""
    return {
        "SAYSO_DATABASE_URL": login_url,
        "SAYSO_REDIS_URL": redis_url,
        "SAYSO_STATE_KEYS": KEY,
        "SAYSO_OIDC_ISSUER": "https://id.example.org",
        "SAYSO_OIDC_AUDIENCE": "sayso",
        "SAYSO_OIDC_JWKS_URL": "https://id.example.org/keys",
    }


@pytest.fixture
def refused():
    """Starts a command that must refuse to run; what it said."""

    def start(*command, **variables):
        done = subprocess.run(
            [SAYSO, *command],
            env=plain_environment() | variables,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        assert done.returncode == 2, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stderr

    return start


@pytest.fixture(scope="session")
def needs():
    """The path of a program, or this test is left out."""

    def find(name):
        found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
        if found is None:
            pytest.skip(f"no {name}")
        return found

    return find
