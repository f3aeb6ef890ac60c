SELECT id, title, description, status, priority, due_date, due_time, repeat, list, remind, created_at, version
FROM tasks
WHERE user_id = %(user_id)s AND id = %(id)s AND deleted_at IS NULL
