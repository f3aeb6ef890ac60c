-- The first answer counts. What is unknown may still become known.
UPDATE orders SET state = %(state)s, answer = %(answer)s, settled_at = %(at)s
WHERE user_id = %(user_id)s AND id = %(id)s AND (state = 'sent' OR (state = 'unknown' AND %(state)s <> 'unknown'))
RETURNING state, answer
