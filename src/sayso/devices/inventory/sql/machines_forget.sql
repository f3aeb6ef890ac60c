DELETE FROM machines WHERE user_id = %(user_id)s AND id = ANY(%(ids)s::text[]) RETURNING id
