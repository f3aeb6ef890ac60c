-- Waits while another transaction writes an order under the same key; nothing where there is one.
INSERT INTO orders (user_id, id, key, body, machine_id, command_id, value, created_at, expires_at)
VALUES (%(user_id)s, %(id)s, %(key)s, %(body)s, %(machine_id)s, %(command_id)s, %(value)s, %(created_at)s, %(expires_at)s)
ON CONFLICT (user_id, key) WHERE key IS NOT NULL DO NOTHING
RETURNING id
