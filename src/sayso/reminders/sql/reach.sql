-- When a task rings, as the database has computed it, and whether its person has a channel.
SELECT t.remind_at, EXISTS (SELECT 1 FROM channels AS c WHERE c.user_id = t.user_id)
FROM tasks AS t
WHERE t.user_id = %(user_id)s AND t.id = %(task_id)s
