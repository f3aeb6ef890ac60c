-- Machines as their owner describes them. What they say themselves (connection, readings) stays; the version goes up
-- where something is described otherwise than before.
INSERT INTO machines (user_id, id, name, serial, description, location, aliases, firmware, wire, definition)
SELECT %(user_id)s, id, name, serial, description, location, aliases, firmware, wire, decode(definition, 'hex')
FROM jsonb_to_recordset(%(machines)s::jsonb) AS given (
    id text, name text, serial text, description text, location text, aliases text[], firmware text, wire jsonb,
    definition text
)
ON CONFLICT (user_id, id) DO UPDATE SET
    name = excluded.name,
    serial = excluded.serial,
    description = excluded.description,
    location = excluded.location,
    aliases = excluded.aliases,
    firmware = coalesce(excluded.firmware, machines.firmware),
    wire = excluded.wire,
    version = machines.version + (machines.definition IS DISTINCT FROM excluded.definition)::integer,
    definition = excluded.definition
