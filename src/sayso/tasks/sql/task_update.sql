UPDATE tasks
SET
    title = %(title)s,
    title_key = %(title_key)s,
    description = %(description)s,
    description_key = %(description_key)s,
    priority = %(priority)s,
    due_date = %(due_date)s,
    due_time = %(due_time)s,
    repeat = %(repeat)s,
    list = %(list)s,
    list_key = %(list_key)s,
    remind = %(remind)s,
    status = %(status)s,
    completed_at = CASE WHEN %(status)s = 'completed' THEN coalesce(completed_at, %(now)s::timestamptz) END,
    updated_at = %(now)s,
    version = version + 1
WHERE user_id = %(user_id)s AND id = %(id)s AND deleted_at IS NULL
RETURNING id, title, description, status, priority, due_date, due_time, repeat, list, remind, created_at, version
