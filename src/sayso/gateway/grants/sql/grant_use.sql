UPDATE grants SET uses = uses + 1 WHERE user_id = %(user_id)s AND id = %(id)s
