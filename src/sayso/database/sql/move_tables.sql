-- Every table with rows of users, and its columns. A table comes after those that its rows point to. The last ones depend on
-- triggers of others: their rows are replaced at the end.
SELECT
    n.nspname,
    c.relname,
    array_agg(a.attname::text ORDER BY a.attnum)
FROM pg_class AS c
INNER JOIN pg_namespace AS n ON c.relnamespace = n.oid
INNER JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
WHERE
    (n.nspname = 'sayso' OR (n.nspname = 'sayso_jobs' AND c.relname = 'reminders_due'))
    AND c.relkind IN ('r', 'p')
    AND NOT c.relispartition
    AND EXISTS (SELECT 1 FROM pg_attribute AS u WHERE u.attrelid = c.oid AND u.attname = 'user_id' AND NOT u.attisdropped)
GROUP BY n.nspname, c.relname, c.oid
ORDER BY
    c.relname IN ('changes', 'reminders_due'),
    c.relname NOT IN ('users', 'reminder_settings'),
    (SELECT count(*) FROM pg_constraint AS k WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.conparentid = 0),
    c.relname DESC
