-- Until this version every table had sixteen hash partitions by user. A turn locked all of them, some 200 locks, and they
-- bring nothing as long as the data is on one server. Each becomes a plain table with the same name, columns, keys, indexes,
-- triggers, policies and rights, so the release before this one works on it. A new database has plain tables from the start.
--
-- `make_plain` copies the rows while it holds the tables. The migration calls it for small databases only. In a larger one
-- the tables stay as they are and work as before, until the operator calls it (docs/operate/run.md).

CREATE FUNCTION make_plain() RETURNS integer LANGUAGE plpgsql SET search_path = sayso, public AS $$
DECLARE
    -- the order in which the services use them: whoever locks in this order waits for a transaction, and it not for them
    ordered_use text[] := ARRAY[
        'users', 'answers', 'confirmations', 'trails', 'conversations', 'turns', 'preferences', 'backs', 'tasks', 'words',
        'occurrences', 'trail', 'cards'
    ];
    tables text[] := ARRAY(
        SELECT relname::text FROM pg_class
        WHERE relnamespace = 'sayso'::regnamespace AND relkind = 'p' AND NOT relispartition
        ORDER BY array_position(ordered_use, relname::text) NULLS LAST, oid
    );
    found text;
    each text;
    after_copy text[];  -- what is made once the rows are there and the old tables are gone
    was bigint;
    copied bigint;
BEGIN
    IF tables = '{}' THEN
        RETURN 0;
    END IF;
    SELECT string_agg(quote_ident(name), ', ') INTO found FROM unnest(tables) AS name;
    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', found);

    -- Indexes that no constraint made, constraints in the order in which they need each other, triggers, row security,
    -- policies, rights.
    SELECT array_agg(ordered.command ORDER BY ordered.place, ordered.name) INTO after_copy FROM (
        SELECT 1 AS place, i.indexrelid::regclass::text AS name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')
        FROM pg_index AS i
        WHERE i.indrelid::regclass::text = ANY(tables) AND NOT EXISTS (
            SELECT 1 FROM pg_constraint AS k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x')
        )
        UNION ALL
        SELECT
            CASE k.contype WHEN 'f' THEN 3 ELSE 2 END,
            k.conname,
            format('ALTER TABLE %I ADD CONSTRAINT %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid))
        FROM pg_constraint AS k
        WHERE k.conrelid::regclass::text = ANY(tables) AND k.contype IN ('p', 'u', 'f') AND k.conparentid = 0
        UNION ALL
        SELECT 4, t.tgname, pg_get_triggerdef(t.oid)
        FROM pg_trigger AS t
        WHERE t.tgrelid::regclass::text = ANY(tables) AND NOT t.tgisinternal
        UNION ALL
        SELECT
            5,
            p.policyname,
            format(
                'CREATE POLICY %I ON %I AS %s FOR %s TO %s USING (%s) WITH CHECK (%s)', p.policyname, p.tablename,
                p.permissive, p.cmd, array_to_string(p.roles, ', '), p.qual, p.with_check
            )
        FROM pg_policies AS p
        WHERE p.schemaname = 'sayso' AND p.tablename = ANY(tables)
        UNION ALL
        SELECT
            6,
            c.relname,
            format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', c.relname)
        FROM pg_class AS c
        WHERE c.relnamespace = 'sayso'::regnamespace AND c.relname = ANY(tables)
        UNION ALL
        SELECT
            7,
            c.relname,
            format('GRANT %s ON %I TO %I', string_agg(a.privilege_type, ', '), c.relname, a.grantee::regrole)
        FROM pg_class AS c
        CROSS JOIN LATERAL aclexplode(c.relacl) AS a
        WHERE c.relnamespace = 'sayso'::regnamespace AND c.relname = ANY(tables) AND a.grantee NOT IN (0, c.relowner)
        GROUP BY c.relname, a.grantee
    ) AS ordered (place, name, command);

    FOREACH each IN ARRAY tables LOOP
        EXECUTE format('ALTER TABLE %I RENAME TO %I', each, each || '_hashed');
        EXECUTE format(
            'CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING COMMENTS)', each, each || '_hashed'
        );
        -- The policies hold for the owner as well and would hide every row. With row_security off, a row that is hidden
        -- nevertheless is an error.
        EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', each || '_hashed');
        SET LOCAL row_security = off;
        EXECUTE format('SELECT count(*) FROM %I', each || '_hashed') INTO was;
        EXECUTE format('INSERT INTO %I SELECT * FROM %I', each, each || '_hashed');
        GET DIAGNOSTICS copied = ROW_COUNT;
        IF copied <> was THEN
            RAISE EXCEPTION '% has % rows, and % were copied', each, was, copied;
        END IF;
        SET LOCAL row_security = on;
    END LOOP;

    SELECT string_agg(quote_ident(name || '_hashed'), ', ') INTO found FROM unnest(tables) AS name;
    EXECUTE format('DROP TABLE %s', found);
    FOREACH each IN ARRAY after_copy LOOP
        EXECUTE each;
    END LOOP;
    FOREACH each IN ARRAY tables LOOP
        EXECUTE format('ANALYZE %I', each);
    END LOOP;
    RETURN cardinality(tables);
END
$$;

REVOKE EXECUTE ON FUNCTION make_plain() FROM PUBLIC;

-- Up to 64 MB with all indexes: the tables are held for some seconds.
SELECT make_plain()
FROM pg_class AS p
WHERE p.relnamespace = 'sayso'::regnamespace AND p.relkind = 'r' AND p.relispartition
HAVING sum(pg_total_relation_size(p.oid)) <= coalesce(current_setting('sayso.most_copied', true)::bigint, 64 * 1024 * 1024);
