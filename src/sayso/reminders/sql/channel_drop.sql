DELETE FROM channels WHERE user_id = %(user_id)s AND id = %(id)s RETURNING id
