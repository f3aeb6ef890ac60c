-- Tasks that have one of these words, those with most of them first.
SELECT t.id, t.title, t.description, t.status, t.priority, t.due_date, t.due_time, t.repeat, t.list, t.remind,
    t.created_at, t.version
FROM (
    SELECT task_id, count(*) AS hits
    FROM words
    WHERE user_id = %(user_id)s AND word = ANY(%(words)s)
    GROUP BY task_id
    ORDER BY hits DESC
    LIMIT %(limit)s
) AS mentioned
INNER JOIN tasks AS t ON t.user_id = %(user_id)s AND t.id = mentioned.task_id
WHERE t.deleted_at IS NULL
ORDER BY mentioned.hits DESC, t.created_at DESC
