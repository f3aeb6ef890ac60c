INSERT INTO reminder_settings (user_id, morning, quiet_from, quiet_to)
VALUES (%(user_id)s, %(morning)s, %(quiet_from)s, %(quiet_to)s)
ON CONFLICT (user_id) DO UPDATE SET
    morning = excluded.morning,
    quiet_from = excluded.quiet_from,
    quiet_to = excluded.quiet_to
