-- End all sessions of a user that have begun.
UPDATE users SET session_epoch = session_epoch + 1 WHERE user_id = %(user_id)s RETURNING session_epoch
