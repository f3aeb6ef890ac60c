UPDATE tasks
SET
    status = %(status)s,
    completed_at = CASE WHEN %(status)s = 'completed' THEN %(now)s::timestamptz END,
    updated_at = %(now)s,
    version = version + 1
WHERE user_id = %(user_id)s AND id = %(id)s AND deleted_at IS NULL AND status <> %(status)s
RETURNING id, title, description, status, priority, due_date, due_time, repeat, list, remind, created_at, version
