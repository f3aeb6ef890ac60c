SELECT number, at, kind, conversation_id, body, salt, body_hash, hash
FROM trail
WHERE
    user_id = %(user_id)s
    AND number > %(after)s
    AND (%(kinds)s::text[] IS NULL OR kind = ANY(%(kinds)s::text[]))
ORDER BY number
LIMIT %(limit)s
