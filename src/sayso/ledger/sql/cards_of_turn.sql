SELECT
    conversation_id,
    turn_number,
    tool,
    definition,
    asked,
    digest,
    state,
    expires_at,
    (
        SELECT lang
        FROM turns
        WHERE user_id = %(user_id)s AND conversation_id = cards.conversation_id AND number = cards.turn_number
    )
FROM cards
WHERE
    user_id = %(user_id)s
    AND conversation_id = %(conversation)s
    AND turn_number = %(turn)s
    AND state = 'pending'
    AND expires_at > %(now)s::timestamptz
ORDER BY id
