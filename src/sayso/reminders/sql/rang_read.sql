SELECT rang FROM changes WHERE user_id = %(user_id)s
