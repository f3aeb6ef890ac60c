INSERT INTO preferences (user_id, chose, said, used_at)
VALUES (%(user_id)s, %(chose)s, %(said)s, %(now)s)
ON CONFLICT (user_id, chose, said) DO UPDATE SET times = preferences.times + 1, used_at = excluded.used_at
