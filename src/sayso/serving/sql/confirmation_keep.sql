UPDATE confirmations SET answer = %(answer)s WHERE user_id = %(user_id)s AND id = %(id)s
