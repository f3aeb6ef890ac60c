SELECT told.number, told.client_message_id, told.message, told.answer, told.created_at, told.asked
FROM conversations
LEFT JOIN LATERAL (
    SELECT number, client_message_id, message, answer, created_at, asked
    FROM turns
    WHERE user_id = %(user_id)s AND conversation_id = %(conversation)s
    ORDER BY number DESC
    LIMIT %(limit)s
) AS told ON true
WHERE conversations.user_id = %(user_id)s AND conversations.id = %(conversation)s
ORDER BY told.number DESC
