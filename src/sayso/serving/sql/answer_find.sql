SELECT body, answer FROM answers WHERE user_id = %(user_id)s AND key = %(key)s
