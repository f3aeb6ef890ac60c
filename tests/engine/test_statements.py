"""Statements of SQL that only read, and those that may do more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.engine.text.statements import only_reads


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT COUNT(*) FROM customers WHERE active = 1",
        "select id, name from t where mail is null or mail = '';",
        "SELECT strftime('%Y-%m', d), SUM(total) FROM t WHERE c = 'it''s; drop' GROUP BY 1 ORDER BY 2 DESC LIMIT 5",
        "WITH a AS (SELECT 1) SELECT * FROM a",
        "select x from t where y in (select z from w) and n = ? and m = $1 and o = :p",
    ],
)
def test_a_query_reads(statement):
    assert only_reads(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "",
        None,
        {"sql": "select 1"},
        "DELETE FROM t",
        "SELECT 1; DROP TABLE t",
        "with d as (delete from t returning *) select * from d",
        "select * into u from t",
        "select 1 for update",
        "select pg_sleep(10)",
        "select load_extension('x')",
        'select "f"(1)',
        "select s.count(x) from t",
        "select 1 -- x",
        "select /*!50000 f() */ 1",
        "select 'it\\'s; drop table t'",
        "select @a := 1",
        "select $$x$$",
        "PRAGMA writable_schema = 1",
        "select 1" + " " * 20_000,
    ],
)
def test_anything_else_may_change_something(statement):
    assert not only_reads(statement)


CHANGES = ["delete from t", "drop table t", "insert into t values (1)", "update t set a = 1", "attach 'x' as y"]


@given(before=st.text(max_size=20), change=st.sampled_from(CHANGES), after=st.text(max_size=20))
def test_a_second_statement_never_counts_as_read(before, change, after):
    assert not only_reads(f"select 1 from t; {before}; {change}; {after}")  # noqa: S608  it is not run
