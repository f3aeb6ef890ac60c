-- What each of these machines was told last.
SELECT o.id, o.body, o.machine_id, o.command_id, o.value, o.state, o.answer, o.created_at, o.expires_at, o.settled_at
FROM unnest(%(ids)s::text[]) AS wanted (id)
CROSS JOIN LATERAL (
    SELECT * FROM orders
    WHERE user_id = %(user_id)s AND machine_id = wanted.id
    ORDER BY created_at DESC
    LIMIT 1
) AS o
