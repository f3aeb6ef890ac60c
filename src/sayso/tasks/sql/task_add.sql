WITH task AS (
    INSERT INTO tasks (
        user_id, id, title, title_key, description, description_key, priority, due_date, due_time, created_at, updated_at
    )
    VALUES (
        %(user_id)s, %(id)s, %(title)s, %(title_key)s, %(description)s, %(description_key)s, %(priority)s, %(due_date)s,
        %(due_time)s, %(created_at)s, %(created_at)s
    )
)
INSERT INTO words (user_id, word, task_id)
SELECT %(user_id)s, unnest(%(words)s::text[]), %(id)s
