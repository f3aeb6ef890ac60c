-- Waits while another transaction consumes the same confirmation.
INSERT INTO confirmations (user_id, id, digest)
VALUES (%(user_id)s, %(id)s, %(digest)s)
ON CONFLICT (user_id, id) DO NOTHING
RETURNING 1
