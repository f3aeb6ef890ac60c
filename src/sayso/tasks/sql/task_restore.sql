UPDATE tasks
SET deleted_at = NULL, updated_at = %(now)s, version = version + 1
WHERE user_id = %(user_id)s AND id = %(id)s AND deleted_at >= %(now)s::timestamptz - interval '30 days'
RETURNING id, title, description, status, priority, due_date, due_time, repeat, list, remind, created_at, version
