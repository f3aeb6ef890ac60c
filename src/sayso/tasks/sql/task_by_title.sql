SELECT id, title, description, status, priority, due_date, due_time, repeat, list, remind, created_at, version
FROM tasks
WHERE user_id = %(user_id)s AND title_key = %(key)s AND deleted_at IS NULL
ORDER BY status DESC, due_date, due_time, created_at, id
LIMIT %(limit)s
