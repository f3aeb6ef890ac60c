SELECT snoozed_until FROM tasks WHERE user_id = %(user_id)s AND id = %(id)s
