-- Whether machines are connected, and when they were last heard of; nothing is written where nothing is new.
UPDATE machines AS m SET
    connected = coalesce(seen.connected, m.connected),
    firmware = coalesce(seen.firmware, m.firmware),
    last_seen = greatest(m.last_seen, seen.at)
FROM jsonb_to_recordset(%(seen)s::jsonb) AS seen (id text, connected boolean, firmware text, at timestamptz)
WHERE m.user_id = %(user_id)s AND m.id = seen.id
