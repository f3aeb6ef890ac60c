SELECT EXISTS (SELECT 1 FROM channels WHERE user_id = %(user_id)s)
