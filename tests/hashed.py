"""The schema as it was up to version 0010: every table with sixteen hash partitions."""

from __future__ import annotations

from contextlib import asynccontextmanager

import psycopg

from sayso.database.check import TABLES
from sayso.database.pool import Database

# Statement by statement what the migrations of then did for each table.
PARTITION = """
DO $$
DECLARE
    definition record;
BEGIN
    SET LOCAL ROLE sayso_owner;
    SET LOCAL search_path = sayso, public;
    DROP FUNCTION here(text);  -- of version 0012
    ALTER TABLE users DROP COLUMN lives_in;
    CREATE TEMP TABLE kept ON COMMIT DROP AS
    SELECT
        pg_get_constraintdef(k.oid) AS constraint_text, k.conname, k.contype, k.conrelid::regclass::text AS of_table,
        NULL AS index_text
    FROM pg_constraint AS k
    WHERE
        k.connamespace = 'sayso'::regnamespace
        AND k.conrelid <> 'schema_version'::regclass
        AND k.contype IN ('p', 'u', 'f')
    UNION ALL
    SELECT NULL, NULL, 'i', i.indrelid::regclass::text, pg_get_indexdef(i.indexrelid)
    FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid
    WHERE
        c.relnamespace = 'sayso'::regnamespace
        AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = i.indexrelid);
    CREATE TEMP TABLE triggers ON COMMIT DROP AS
    SELECT pg_get_triggerdef(t.oid) AS text FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
    WHERE c.relnamespace = 'sayso'::regnamespace AND NOT t.tgisinternal;
    FOR definition IN SELECT unnest(string_to_array('{tables}', ' ')) AS name LOOP
        EXECUTE format('ALTER TABLE %I RENAME TO %I', definition.name, 'plain_' || definition.name);
        EXECUTE format(
            'CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY HASH (user_id)',
            definition.name, 'plain_' || definition.name
        );
        EXECUTE format('DROP TABLE %I CASCADE', 'plain_' || definition.name);
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', definition.name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', definition.name);
        EXECUTE format(
            'CREATE POLICY %I ON %I USING (user_id = nullif(current_setting(''app.user_id'', true), ''''))'
            ' WITH CHECK (user_id = nullif(current_setting(''app.user_id'', true), ''''))',
            definition.name || '_of_the_user', definition.name
        );
        EXECUTE format(
            'GRANT %s ON %I TO sayso_app',
            CASE definition.name
                WHEN 'trail' THEN 'SELECT, INSERT'
                WHEN 'trails' THEN 'SELECT, INSERT, UPDATE'
                ELSE 'SELECT, INSERT, UPDATE, DELETE'
            END,
            definition.name
        );
        FOR part IN 0..15 LOOP
            EXECUTE format(
                'CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 16, REMAINDER %s)',
                definition.name || '_' || part, definition.name, part
            );
            EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', definition.name || '_' || part);
            EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', definition.name || '_' || part);
        END LOOP;
    END LOOP;
    FOR definition IN SELECT * FROM kept ORDER BY array_position('{{i,p,u,f}}', contype::text) LOOP
        IF definition.contype = 'i' THEN
            EXECUTE definition.index_text;
        ELSE
            EXECUTE format(
                'ALTER TABLE %I ADD CONSTRAINT %I %s',
                definition.of_table, definition.conname, definition.constraint_text
            );
        END IF;
    END LOOP;
    FOR definition IN SELECT * FROM triggers LOOP
        EXECUTE definition.text;
    END LOOP;
    DROP FUNCTION make_plain();
    UPDATE schema_version SET version_num = '0010';
END
$$
"""


def hash_partition(url):
    """Make an empty database of the newest version one of version 0010."""
    with psycopg.connect(url) as on:
        on.execute(PARTITION.format(tables=" ".join(TABLES)))


class EarlierDatabase(Database):
    """The pool of a release before version 0012, which knew no cells."""

    @asynccontextmanager
    async def transaction(self, user_id, *, anywhere=True):
        async with super().transaction(user_id, anywhere=anywhere) as on:
            yield on
