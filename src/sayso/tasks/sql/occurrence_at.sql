-- The occurrence that was completed when the task had this version.
SELECT version, due_date, due_time, repeat, completed_at
FROM occurrences
WHERE user_id = %(user_id)s AND task_id = %(task_id)s AND version = %(version)s
