-- The named lists that exist, each as its oldest task spells it.
SELECT DISTINCT ON (list_key) list
FROM tasks
WHERE user_id = %(user_id)s AND list_key IS NOT NULL AND deleted_at IS NULL
ORDER BY list_key, created_at, id
LIMIT %(limit)s
