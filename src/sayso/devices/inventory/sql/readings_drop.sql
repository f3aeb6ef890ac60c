DELETE FROM readings WHERE user_id = %(user_id)s AND at < %(before)s
