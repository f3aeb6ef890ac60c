SELECT number, at, kind, conversation_id, body, salt, body_hash, hash
FROM trail
WHERE user_id = %(user_id)s AND number > %(after)s
ORDER BY number
LIMIT %(limit)s
