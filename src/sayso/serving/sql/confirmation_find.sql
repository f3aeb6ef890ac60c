SELECT digest, answer FROM confirmations WHERE user_id = %(user_id)s AND id = %(id)s
