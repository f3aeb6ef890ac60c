-- Titles that hold these words in a row. The index that has the order has the titles, too.
WITH
found AS (
    SELECT id
    FROM tasks
    WHERE user_id = %(user_id)s AND deleted_at IS NULL AND ' ' || title_key || ' ' LIKE %(pattern)s
    ORDER BY status DESC, due_date, due_time, created_at, id
    LIMIT %(limit)s
)
SELECT id, title, description, status, priority, due_date, due_time, created_at, version
FROM tasks
WHERE user_id = %(user_id)s AND id IN (SELECT id FROM found)
ORDER BY status DESC, due_date, due_time, created_at, id
