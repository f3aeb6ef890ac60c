SELECT number FROM backs WHERE user_id = %(user_id)s AND number = ANY(%(numbers)s::bigint[])
