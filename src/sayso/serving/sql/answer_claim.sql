-- Waits while another transaction holds the same key.
INSERT INTO answers (user_id, key, body)
VALUES (%(user_id)s, %(key)s, %(body)s)
ON CONFLICT (user_id, key) DO NOTHING
RETURNING 1
