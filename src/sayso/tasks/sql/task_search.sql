-- A page of what holds all patterns, in its title or also in its description: among the tasks that the index of words
-- named, or where every word is a frequent one, along the whole list until the page is full.
SELECT id, title, description, status, priority, due_date, due_time, repeat, list, remind, created_at, version
FROM tasks
WHERE
    user_id = %(user_id)s
    AND deleted_at IS NULL
    AND (%(status)s::text IS NULL OR status = %(status)s)
    AND (%(priority)s::text IS NULL OR priority = %(priority)s)
    AND (%(list_key)s::text IS NULL OR list_key = %(list_key)s)
    AND (%(first)s::date IS NULL OR due_date >= %(first)s)
    AND (%(last)s::date IS NULL OR due_date <= %(last)s)
    AND (%(overdue_at)s::timestamp IS NULL OR due_date + coalesce(due_time, time '24:00') <= %(overdue_at)s)
    AND (%(ids)s::uuid[] IS NULL OR id = ANY (%(ids)s::uuid[]))
    AND ' ' || title_key || CASE WHEN %(titles_only)s THEN ' ' ELSE ' ' || description_key || ' ' END
        LIKE ALL (%(patterns)s::text[])
ORDER BY status DESC, due_date, due_time, created_at, id
LIMIT %(limit)s OFFSET %(offset)s
