INSERT INTO commands (user_id, machine_id, id, place, name, description, destructive, takes_value, minimum, maximum, unit, wire)
SELECT %(user_id)s, machine_id, id, place, name, description, destructive, takes_value, minimum, maximum, unit, wire
FROM jsonb_to_recordset(%(commands)s::jsonb) AS given (
    machine_id text, id text, place integer, name text, description text, destructive boolean, takes_value boolean,
    minimum double precision, maximum double precision, unit text, wire jsonb
)
