INSERT INTO tasks (user_id, title, title_key, description, description_key, priority, due_date, due_time, created_at)
VALUES (
    %(user_id)s, %(title)s, %(title_key)s, %(description)s, %(description_key)s, %(priority)s, %(due_date)s, %(due_time)s,
    %(now)s
)
RETURNING id, title, description, status, priority, due_date, due_time, created_at, version
