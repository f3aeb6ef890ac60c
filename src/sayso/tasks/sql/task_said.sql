-- Tasks that have one of these words, those with most of them first. Of a word that very many have some are looked at: it
-- tells little, and the work is bounded however long the list.
SELECT t.id, t.title, t.description, t.status, t.priority, t.due_date, t.due_time, t.repeat, t.list, t.remind,
    t.created_at, t.version
FROM (
    SELECT having_it.task_id, count(*) AS hits
    FROM unnest(%(words)s::text[]) AS said (word)
    CROSS JOIN LATERAL (
        SELECT words.task_id
        FROM words
        WHERE words.user_id = %(user_id)s AND words.word = said.word COLLATE "C"
        LIMIT %(reach)s
    ) AS having_it
    GROUP BY having_it.task_id
    ORDER BY hits DESC
    LIMIT %(limit)s
) AS mentioned
INNER JOIN tasks AS t ON t.user_id = %(user_id)s AND t.id = mentioned.task_id
WHERE t.deleted_at IS NULL
ORDER BY mentioned.hits DESC, t.created_at DESC
