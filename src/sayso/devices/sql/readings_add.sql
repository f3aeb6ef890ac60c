-- Readings of metrics that the machine has; one that was kept already is the same one.
INSERT INTO readings (user_id, machine_id, metric, at, value)
SELECT m.user_id, m.machine_id, m.name, given.at, given.value
FROM unnest(%(ids)s::text[], %(names)s::text[], %(values)s::jsonb[], %(at)s::timestamptz[]) AS given (id, name, value, at)
JOIN metrics AS m ON m.user_id = %(user_id)s AND m.machine_id = given.id AND m.name = given.name
ON CONFLICT (user_id, machine_id, metric, at) DO NOTHING
