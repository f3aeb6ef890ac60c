INSERT INTO trails (user_id, number, hash) VALUES (%(user_id)s, 0, %(hash)s) ON CONFLICT (user_id) DO NOTHING
