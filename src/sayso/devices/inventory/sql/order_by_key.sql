SELECT id, body, machine_id, command_id, value, state, answer, created_at, expires_at, settled_at FROM orders
WHERE user_id = %(user_id)s AND key = %(key)s
