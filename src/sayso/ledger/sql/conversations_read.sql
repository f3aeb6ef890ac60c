-- Of the last ones that were opened, those used last: bounded however many there are.
SELECT lately.id, lately.created_at, coalesce(last.created_at, lately.created_at) AS at, last.message
FROM (
    SELECT id, created_at
    FROM conversations
    WHERE user_id = %(user_id)s
    ORDER BY created_at DESC
    LIMIT 100
) AS lately
LEFT JOIN LATERAL (
    SELECT message, created_at
    FROM turns
    WHERE user_id = %(user_id)s AND conversation_id = lately.id
    ORDER BY number DESC
    LIMIT 1
) AS last ON true
ORDER BY at DESC
LIMIT %(limit)s
