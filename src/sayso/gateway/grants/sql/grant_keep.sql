INSERT INTO grants (user_id, id, until, sealed) VALUES (%(user_id)s, %(id)s, %(until)s, %(sealed)s)
ON CONFLICT (user_id, id) DO NOTHING
