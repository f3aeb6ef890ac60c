-- Every table with a person's rows. What others point to comes last: a row that goes with the one it belongs to is counted
-- for its own table.
SELECT c.relname
FROM pg_class AS c
WHERE
    c.relnamespace = 'sayso'::regnamespace
    AND c.relkind IN ('r', 'p')
    AND NOT c.relispartition
    AND EXISTS (SELECT 1 FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attname = 'user_id' AND NOT a.attisdropped)
ORDER BY
    (SELECT count(*) FROM pg_constraint AS k WHERE k.confrelid = c.oid AND k.contype = 'f' AND k.conparentid = 0),
    c.relname
