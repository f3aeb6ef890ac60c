INSERT INTO occurrences (user_id, task_id, version, due_date, due_time, repeat, completed_at)
VALUES (%(user_id)s, %(task_id)s, %(version)s, %(due_date)s, %(due_time)s, %(repeat)s, %(completed_at)s)
ON CONFLICT DO NOTHING
