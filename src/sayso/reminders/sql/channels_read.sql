SELECT id, kind, label FROM channels WHERE user_id = %(user_id)s ORDER BY created_at, id
