-- The latest value of each metric; one that came late does not replace a later one.
UPDATE metrics AS m SET value = given.value, at = given.at
FROM unnest(%(ids)s::text[], %(names)s::text[], %(values)s::jsonb[], %(at)s::timestamptz[]) AS given (id, name, value, at)
WHERE m.user_id = %(user_id)s AND m.machine_id = given.id AND m.name = given.name AND (m.at IS NULL OR m.at <= given.at)
