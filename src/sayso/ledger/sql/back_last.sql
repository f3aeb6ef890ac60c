SELECT number, back FROM backs WHERE user_id = %(user_id)s ORDER BY number DESC LIMIT 1
