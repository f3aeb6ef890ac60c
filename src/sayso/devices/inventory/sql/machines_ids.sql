SELECT
    m.id, m.name, m.serial, m.description, m.location, m.aliases, m.firmware, m.connected, m.last_seen, m.wire, m.version,
    (
        SELECT coalesce(json_agg(json_build_object(
            'id', c.id, 'name', c.name, 'description', c.description, 'destructive', c.destructive,
            'takes_value', c.takes_value, 'minimum', c.minimum, 'maximum', c.maximum, 'unit', c.unit, 'wire', c.wire
        ) ORDER BY c.place), '[]')
        FROM commands AS c
        WHERE c.user_id = m.user_id AND c.machine_id = m.id
    ),
    (
        SELECT coalesce(json_agg(json_build_object(
            'name', r.name, 'unit', r.unit, 'wire', r.wire, 'value', r.value, 'at', r.at
        ) ORDER BY r.place), '[]')
        FROM metrics AS r
        WHERE r.user_id = m.user_id AND r.machine_id = m.id
    )
FROM machines AS m
WHERE m.user_id = %(user_id)s AND m.id = ANY(%(ids)s::text[])
ORDER BY m.name, m.id
