-- The last readings of each metric, newest first.
SELECT r.metric, r.at, r.value
FROM unnest(%(names)s::text[]) AS wanted (name)
CROSS JOIN LATERAL (
    SELECT metric, at, value FROM readings
    WHERE user_id = %(user_id)s AND machine_id = %(id)s AND metric = wanted.name
    ORDER BY at DESC
    LIMIT %(limit)s
) AS r
ORDER BY r.metric, r.at DESC
