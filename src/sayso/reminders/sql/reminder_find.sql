-- The task of a reminder that rang; one that is still to come goes by the id of its task. A reminder of a repeating task
-- counts for its date alone: after that date, "done" must not complete the next one.
SELECT r.task_id
FROM reminders AS r
INNER JOIN tasks AS t ON r.user_id = t.user_id AND r.task_id = t.id
WHERE r.user_id = %(user_id)s AND r.id = %(id)s AND (t.repeat IS NULL OR t.remind_at = r.remind_at)
UNION ALL
SELECT id FROM tasks
WHERE user_id = %(user_id)s AND id = %(id)s AND deleted_at IS NULL AND remind_at IS NOT NULL
LIMIT 1
