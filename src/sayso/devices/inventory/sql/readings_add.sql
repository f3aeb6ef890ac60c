-- Readings of metrics that the machine has; one that was kept already is the same one.
INSERT INTO readings (user_id, machine_id, metric, at, value)
SELECT m.user_id, m.machine_id, m.name, given.at, coalesce(given.value, 'null')
FROM jsonb_to_recordset(%(readings)s::jsonb) AS given (id text, metric text, at timestamptz, value jsonb)
JOIN metrics AS m ON m.user_id = %(user_id)s AND m.machine_id = given.id AND m.name = given.metric
ON CONFLICT (user_id, machine_id, metric, at) DO NOTHING
