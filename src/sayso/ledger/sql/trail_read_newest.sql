SELECT number, at, kind, conversation_id, body, salt, body_hash, hash
FROM trail
WHERE
    user_id = %(user_id)s
    AND (%(before)s::bigint IS NULL OR number < %(before)s::bigint)
    AND (%(kinds)s::text[] IS NULL OR kind = ANY(%(kinds)s::text[]))
ORDER BY number DESC
LIMIT %(limit)s
