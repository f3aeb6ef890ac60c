"""A person with many tasks: the plans that are prepared once must not read the whole list."""

from __future__ import annotations

import re

import psycopg
from psycopg import sql

from sayso.database.migrate import migrate
from sayso.tasks.hands import first_things

MANY, PEOPLE = 5_000, 300
FILL = """
INSERT INTO sayso.tasks (user_id, title, title_key, description, description_key, due_date)
SELECT %s, 'task ' || n, 'task ' || n, '', '', current_date + n FROM generate_series(1, %s) AS n
"""


def test_the_first_tasks_of_a_long_list_are_read_without_the_others(make_database):
    url = make_database()
    migrate(url)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(FILL, ("many", MANY))
        for number in range(PEOPLE):
            connection.execute(FILL, (f"few {number}", 10))
        connection.execute("VACUUM ANALYZE sayso.tasks")
        connection.execute("SET search_path = sayso, public")
        connection.execute("SET plan_cache_mode = force_generic_plan")
        query, values = first_things("many")
        numbered = re.sub(r"%\((\w+)\)s", lambda found: f"${list(values).index(found[1]) + 1}", query.decode())
        connection.execute(f"PREPARE listed AS {numbered}")
        given = sql.SQL(", ").join(map(sql.Literal, values.values()))
        explained = sql.SQL("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE listed ({})").format(given)
        ((found,),) = connection.execute(explained).fetchall()
    plan = found[0]["Plan"]
    assert plan["Actual Rows"] == values["limit"]
    assert plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] < 2 * values["limit"]
