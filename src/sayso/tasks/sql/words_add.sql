INSERT INTO words (user_id, word, task_id)
SELECT %(user_id)s, unnest(%(words)s::text[]), %(id)s
