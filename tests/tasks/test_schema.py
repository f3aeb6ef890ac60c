"""The schema: made once, kept by row security, and a check that finds each way in which it could be weakened."""

from __future__ import annotations

import psycopg
import pytest

from sayso.database.check import TABLES, check, findings
from sayso.database.migrate import migrate
from sayso.database.version import newest
from sayso.errors import NotReady


@pytest.fixture
def fresh(make_database):
    return make_database()


@pytest.fixture
def weakened(url):
    """What is found after a weakening, which is undone."""

    def weaken(statement):
        with psycopg.connect(url) as connection:
            connection.execute(statement)
            found = [finding.problem for finding in findings(connection, in_production=False)]
            connection.rollback()
        return found

    return weaken


def test_migrating_makes_the_schema_and_repeating_it_changes_nothing(fresh):
    assert migrate(fresh) == (None, newest())
    assert migrate(fresh) == (newest(), newest())
    assert check(fresh, in_production=False) == []


def test_an_empty_database_is_sent_to_migrate(fresh):
    (finding,) = check(fresh, in_production=False)
    assert "no schema" in finding.problem
    assert "sayso db migrate" in finding.remedy


def test_a_database_that_is_not_there_says_so():
    with pytest.raises(NotReady, match="SAYSO_DATABASE_URL"):
        check("postgresql://nobody@127.0.0.1:1/none", in_production=False)
    with pytest.raises(NotReady, match="SAYSO_DATABASE_URL"):
        migrate("postgresql://nobody@127.0.0.1:1/none")


def test_production_wants_a_login_that_is_no_superuser(url):
    (finding,) = check(url, in_production=True)
    assert "superuser" in finding.problem
    assert "GRANT sayso_app TO" in finding.remedy


def test_a_login_with_the_rights_of_the_application_is_enough(url, server):
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS sayso_test_login")
        connection.execute("CREATE ROLE sayso_test_login LOGIN IN ROLE sayso_app")
        try:
            assert check(psycopg.conninfo.make_conninfo(url, user="sayso_test_login"), in_production=True) == []
        finally:
            connection.execute("DROP ROLE sayso_test_login")


@pytest.mark.parametrize("table", TABLES)
def test_a_policy_that_is_dropped_is_missed(weakened, table):
    assert f"the policies of {table} were changed" in weakened(f"DROP POLICY {table}_of_the_user ON sayso.{table}")


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    ("weakening", "problem"),
    [
        ("ALTER TABLE sayso.{} DISABLE ROW LEVEL SECURITY", "{} has no row security"),
        ("ALTER TABLE sayso.{} NO FORCE ROW LEVEL SECURITY", "{} does not force row security"),
        ("CREATE POLICY everybody ON sayso.{} USING (true)", "the policies of {} were changed"),
        ("ALTER TABLE sayso.{} OWNER TO CURRENT_USER", "{} belongs to postgres"),
    ],
)
def test_a_weakened_table_is_found(weakened, table, weakening, problem):
    found = weakened(weakening.format(table))
    assert any(each.startswith(problem.format(table).split(" to ")[0]) for each in found), found


def test_every_key_begins_with_the_user(url):
    with psycopg.connect(url) as connection:
        keys = connection.execute(
            "SELECT c.conrelid::regclass::text, a.attname FROM pg_constraint AS c JOIN pg_attribute AS a "
            "ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1] WHERE c.contype IN ('p', 'u', 'f') "
            "AND c.connamespace = 'sayso'::regnamespace AND c.conrelid <> 'sayso.schema_version'::regclass"
        ).fetchall()
        indexes = connection.execute(
            "SELECT indexdef FROM pg_indexes WHERE schemaname = 'sayso' AND tablename <> 'schema_version'"
        ).fetchall()
    assert len(keys) >= len(TABLES)
    assert {first for _, first in keys} == {"user_id"}
    assert all("(user_id" in text for (text,) in indexes)


def test_a_database_that_cannot_keep_every_letter_is_found(make_database):
    latin = make_database("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    assert any("UTF-8" in finding.problem for finding in check(latin, in_production=False))
