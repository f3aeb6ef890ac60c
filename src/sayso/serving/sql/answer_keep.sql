UPDATE answers SET answer = %(answer)s WHERE user_id = %(user_id)s AND key = %(key)s
