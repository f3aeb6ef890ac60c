SELECT told.number, told.message, told.answer, told.created_at
FROM conversations
LEFT JOIN LATERAL (
    SELECT number, message, answer, created_at
    FROM turns
    WHERE user_id = %(user_id)s AND conversation_id = %(conversation)s AND state = 'done'
    ORDER BY number DESC
    LIMIT %(limit)s
) AS told ON true
WHERE conversations.user_id = %(user_id)s AND conversations.id = %(conversation)s
ORDER BY told.number DESC
