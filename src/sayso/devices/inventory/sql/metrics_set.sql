-- The latest value of each metric; one that came late does not replace a later one.
UPDATE metrics AS m SET value = given.value, at = given.at
FROM jsonb_to_recordset(%(readings)s::jsonb) AS given (id text, metric text, at timestamptz, value jsonb)
WHERE m.user_id = %(user_id)s AND m.machine_id = given.id AND m.name = given.metric AND (m.at IS NULL OR m.at <= given.at)
