-- The spelling of a list: the one of the oldest task on it.
SELECT list
FROM tasks
WHERE user_id = %(user_id)s AND list_key = %(list_key)s AND deleted_at IS NULL
ORDER BY created_at, id
LIMIT 1
