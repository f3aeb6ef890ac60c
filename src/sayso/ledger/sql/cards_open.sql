SELECT
    turn_number,
    asked
FROM cards
WHERE
    user_id = %(user_id)s AND conversation_id = %(conversation)s AND state = 'pending' AND expires_at > %(now)s::timestamptz
ORDER BY turn_number, expires_at, id
