UPDATE deliveries
SET
    state = %(state)s,
    attempts = attempts + 1,
    settled_at = CASE WHEN %(state)s <> 'waiting' THEN %(now)s::timestamptz END
WHERE user_id = %(user_id)s AND id = %(id)s AND state = 'waiting'
