DELETE FROM commands WHERE user_id = %(user_id)s AND machine_id = ANY(%(ids)s::text[])
