INSERT INTO metrics (user_id, machine_id, name, place, unit, wire)
SELECT %(user_id)s, machine_id, name, place, unit, wire
FROM jsonb_to_recordset(%(metrics)s::jsonb) AS given (machine_id text, name text, place integer, unit text, wire jsonb)
ON CONFLICT (user_id, machine_id, name) DO UPDATE SET
    place = excluded.place, unit = excluded.unit, wire = excluded.wire
