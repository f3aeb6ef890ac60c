SELECT uses FROM grants WHERE user_id = %(user_id)s AND id = %(id)s
