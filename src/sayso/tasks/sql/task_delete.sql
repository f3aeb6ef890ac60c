UPDATE tasks
SET deleted_at = %(now)s, updated_at = %(now)s, version = version + 1
WHERE user_id = %(user_id)s AND id = %(id)s AND deleted_at IS NULL AND version = %(version)s
RETURNING id, title, description, status, priority, due_date, due_time, repeat, list, remind, created_at, version
