-- The task of a reminder that rang; one that is still to come goes by the id of its task.
SELECT task_id FROM reminders WHERE user_id = %(user_id)s AND id = %(id)s
UNION ALL
SELECT id FROM tasks
WHERE user_id = %(user_id)s AND id = %(id)s AND deleted_at IS NULL AND remind_at IS NOT NULL
LIMIT 1
