-- The session epoch of a user; no row where nobody has met them.
SELECT session_epoch FROM users WHERE user_id = %(user_id)s
