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
WHERE user_id = %(user_id)s AND id = %(id)s
