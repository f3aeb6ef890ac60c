-- Titles for a client to complete what is being typed; pending tasks first.
SELECT title
FROM tasks
WHERE user_id = %(user_id)s AND deleted_at IS NULL AND ' ' || title_key LIKE %(pattern)s
GROUP BY title
ORDER BY max(status) DESC, title
LIMIT %(limit)s
