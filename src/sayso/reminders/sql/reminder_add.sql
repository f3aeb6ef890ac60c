INSERT INTO reminders (user_id, id, task_id, remind_at, rang_at, late_minutes)
VALUES (%(user_id)s, %(id)s, %(task_id)s, %(remind_at)s, %(now)s, %(late)s)
ON CONFLICT (user_id, task_id, remind_at) DO NOTHING
RETURNING id
