-- What a slip of the finger may have meant: the nearest by trigrams among the first tasks of the list, so that the work
-- is bounded however long the list.
WITH
within_reach AS MATERIALIZED (
    SELECT id, title_key
    FROM tasks
    WHERE user_id = %(user_id)s AND deleted_at IS NULL
    ORDER BY status DESC, due_date, due_time, created_at, id
    LIMIT %(reach)s
),
nearest AS (
    SELECT id, greatest(similarity(title_key, %(key)s), word_similarity(%(key)s, title_key)) AS nearness
    FROM within_reach
    ORDER BY nearness DESC
    LIMIT %(limit)s
)
SELECT id, title, description, status, priority, due_date, due_time, repeat, list, remind, created_at, version
FROM tasks
JOIN nearest USING (id)
WHERE user_id = %(user_id)s AND nearness >= 0.1
ORDER BY nearness DESC, status DESC, due_date, id
