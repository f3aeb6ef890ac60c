SELECT number, at, kind, conversation_id, body, salt, body_hash, hash
FROM trail
WHERE user_id = %(user_id)s AND number < %(before)s
ORDER BY number DESC
LIMIT %(limit)s
