SELECT number, back FROM backs WHERE user_id = %(user_id)s AND number = %(number)s
