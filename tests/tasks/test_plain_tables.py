"""The migration from hash partitions to plain tables: the same schema, the same rows, while the services work."""

from __future__ import annotations

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from hashed import EarlierDatabase, hash_partition
from sayso.cli.database.migrate import migrate_database
from sayso.database.check import TABLES, check
from sayso.database.migrate import migrate, partitioned
from sayso.database.version import newest
from sayso.errors import NotReady
from sayso.identity.principal import Principal
from sayso.tasks.service import TaskService
from sayso.tasks.values import AddTask, ListTasks

pytestmark = pytest.mark.anyio

SHAPE = {
    "columns": "SELECT c.relname, a.attname, a.attnum, format_type(a.atttypid, a.atttypmod), a.attnotnull, "
    "a.attcollation::regcollation::text, pg_get_expr(d.adbin, d.adrelid) FROM pg_attribute AS a "
    "JOIN pg_class AS c ON c.oid = a.attrelid LEFT JOIN pg_attrdef AS d "
    "ON (d.adrelid, d.adnum) = (a.attrelid, a.attnum) "
    "WHERE c.relnamespace = 'sayso'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped",
    "constraints": "SELECT conrelid::regclass::text, conname, contype::text, "
    "replace(pg_get_constraintdef(oid), ' NOT VALID', '') FROM pg_constraint "
    "WHERE connamespace = 'sayso'::regnamespace AND contype <> 't'",
    "indexes": "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'sayso'",
    # without parentheses: a definition that is read again groups its ORs otherwise
    "triggers": "SELECT tgrelid::regclass::text, tgname, translate(pg_get_triggerdef(oid), '()', '') FROM pg_trigger "
    "WHERE NOT tgisinternal AND tgrelid::regclass::text LIKE 'sayso.%'",
    "policies": "SELECT * FROM pg_policies WHERE schemaname = 'sayso'",
    "tables": "SELECT relname, relkind::text, relowner::regrole::text, relrowsecurity, relforcerowsecurity, "
    "(SELECT array_agg(acl::text ORDER BY acl::text) FROM unnest(relacl) AS acl) "
    "FROM pg_class WHERE relnamespace = 'sayso'::regnamespace AND relkind IN ('r', 'p')",
    "functions": "SELECT proname, md5(prosrc), proacl::text FROM pg_proc WHERE pronamespace = 'sayso'::regnamespace",
}


def shape(url):
    """Everything that the catalogue says of the schema."""
    with psycopg.connect(url) as on:
        return {what: sorted(map(repr, on.execute(query))) for what, query in SHAPE.items()}


@pytest.fixture(scope="module")
def version_0010(make_database):
    """The name of a database to copy."""
    made = make_database()
    migrate(made)
    hash_partition(made)
    assert sorted(partitioned(made)) == sorted(TABLES)
    return conninfo_to_dict(made)["dbname"]


@pytest.fixture
def hashed(make_database, version_0010):
    """A database of version 0010."""
    return make_database(f"TEMPLATE {version_0010}")


async def fill(url, count):
    """People with some tasks each, so that most partitions have rows."""
    people = [Principal(id=f"person {number}") for number in range(count)]
    async with EarlierDatabase(url, connections=2) as database:
        service = TaskService(database)
        for who in people:
            given = AddTask(title=f"ring {who.id}", due="2030-03-12 17:00", remind="PT10M")
            assert (await service.call(who, "add_task", given, key="k")).status == "success"
    return people


_ROWS = "SELECT (to_jsonb(row) - 'lives_in')::text FROM sayso.{} AS row"  # without the column of version 0012


def rows(url):
    with psycopg.connect(url) as on:
        return {table: sorted(text for (text,) in on.execute(_ROWS.format(table))) for table in TABLES}


def test_a_new_database_has_plain_tables(url):
    assert partitioned(url) == []


def test_a_migrated_schema_is_that_of_a_new_database(url, hashed):
    assert migrate(hashed) == ("0010", newest())
    assert shape(hashed) == shape(url)
    assert check(hashed, in_production=False) == []


async def test_every_row_is_copied_and_the_services_go_on(hashed):
    people = await fill(hashed, 40)
    before = rows(hashed)
    assert {len(before[table]) for table in ("users", "tasks", "answers")} == {40}
    async with EarlierDatabase(hashed, connections=2) as database:
        service = TaskService(database)  # with statements that were prepared on the partitions
        assert (await service.call(people[0], "list_tasks", ListTasks())).tasks
        migrate(hashed)
        assert rows(hashed) == before
        for who in people[:3]:
            assert [task.title for task in (await service.call(who, "list_tasks", ListTasks())).tasks] == [
                f"ring {who.id}"
            ]
        assert (await service.call(people[0], "add_task", AddTask(title="one more"))).status == "success"
    with psycopg.connect(hashed) as on:
        assert on.execute("SELECT count(*) FROM sayso_jobs.reminders_due").fetchone() == (40,)


async def test_a_large_database_keeps_its_partitions_until_the_operator_says_so(hashed, monkeypatch, capsys):
    await fill(hashed, 5)
    before = rows(hashed)
    monkeypatch.setenv("SAYSO_DATABASE_URL", f"{hashed} options='-c sayso.most_copied=1000'")
    migrate_database()
    assert "24 tables still have hash partitions" in capsys.readouterr().out
    assert sorted(partitioned(hashed)) == sorted(TABLES)
    assert check(hashed, in_production=False) == []
    await fill(hashed, 6)
    with psycopg.connect(hashed) as on:
        on.execute("SET ROLE sayso_owner")
        assert on.execute("SELECT sayso.make_plain()").fetchone() == (24,)
    assert partitioned(hashed) == []
    assert check(hashed, in_production=False) == []
    after = rows(hashed)
    assert set(before["words"]) < set(after["words"])
    assert len(after["tasks"]) == 6


@pytest.mark.parametrize(
    ("weakening", "problem"),
    [
        ("ALTER TABLE sayso.tasks_3 DISABLE ROW LEVEL SECURITY", "tasks_3 has no row security"),
        ("GRANT SELECT ON sayso.tasks_3 TO sayso_app", "tasks_3 is open to others"),
    ],
)
def test_a_weakened_partition_is_found(hashed, weakening, problem):
    migrate(f"{hashed} options='-c sayso.most_copied=1000'")
    with psycopg.connect(hashed, autocommit=True) as on:
        on.execute(weakening)
    assert [finding.problem for finding in check(hashed, in_production=False)] == [problem]


def test_the_services_may_not_copy_tables(url):
    with psycopg.connect(url) as on:
        on.execute("SET ROLE sayso_app")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            on.execute("SELECT sayso.make_plain()")


def test_a_table_in_use_is_not_waited_for_long_and_nothing_changes(hashed, monkeypatch):
    monkeypatch.setattr("sayso.database.migrate._PATIENCE", "100ms")
    with psycopg.connect(hashed) as busy:
        busy.execute("SELECT 1 FROM sayso.trails")
        with pytest.raises(NotReady, match="Run it again"):
            migrate(hashed)
    assert sorted(partitioned(hashed)) == sorted(TABLES)
