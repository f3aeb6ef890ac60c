-- The last readings of each metric of these machines, oldest first.
SELECT m.machine_id, m.name, r.at, r.value
FROM metrics AS m
CROSS JOIN LATERAL (
    SELECT at, value FROM readings
    WHERE user_id = %(user_id)s AND machine_id = m.machine_id AND metric = m.name
    ORDER BY at DESC
    LIMIT %(limit)s
) AS r
WHERE m.user_id = %(user_id)s AND m.machine_id = ANY(%(ids)s::text[])
ORDER BY m.machine_id, m.name, r.at
