-- A page of what holds every word of the search. Titles are read from the index that has the order; only tasks with a
-- description are looked at themselves.
WITH
by_title AS (
    SELECT id, status, due_date, due_time, created_at
    FROM tasks
    WHERE
    user_id = %(user_id)s
    AND deleted_at IS NULL
    AND (%(status)s::text IS NULL OR status = %(status)s)
    AND (%(priority)s::text IS NULL OR priority = %(priority)s)
    AND (%(first)s::date IS NULL OR due_date >= %(first)s)
    AND (%(last)s::date IS NULL OR due_date <= %(last)s)
    AND (%(overdue_at)s::timestamp IS NULL OR due_date + coalesce(due_time, time '24:00') <= %(overdue_at)s)
    AND title_key LIKE ALL (%(patterns)s::text[])
    ORDER BY status DESC, due_date, due_time, created_at, id
    LIMIT %(limit)s + %(offset)s
),
by_description AS (
    SELECT id, status, due_date, due_time, created_at
    FROM tasks
    WHERE
    user_id = %(user_id)s
    AND deleted_at IS NULL
    AND (%(status)s::text IS NULL OR status = %(status)s)
    AND (%(priority)s::text IS NULL OR priority = %(priority)s)
    AND (%(first)s::date IS NULL OR due_date >= %(first)s)
    AND (%(last)s::date IS NULL OR due_date <= %(last)s)
    AND (%(overdue_at)s::timestamp IS NULL OR due_date + coalesce(due_time, time '24:00') <= %(overdue_at)s)
    AND description_key <> ''
    AND title_key || ' ' || description_key LIKE ALL (%(patterns)s::text[])
    ORDER BY status DESC, due_date, due_time, created_at, id
    LIMIT %(limit)s + %(offset)s
),
page AS (
    SELECT * FROM by_title
    UNION
    SELECT * FROM by_description
    ORDER BY status DESC, due_date, due_time, created_at, id
    LIMIT %(limit)s OFFSET %(offset)s
)
SELECT id, title, description, status, priority, due_date, due_time, created_at, version
FROM tasks
WHERE user_id = %(user_id)s AND id IN (SELECT id FROM page)
ORDER BY status DESC, due_date, due_time, created_at, id
