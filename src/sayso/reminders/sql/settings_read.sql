SELECT morning, quiet_from, quiet_to FROM reminder_settings WHERE user_id = %(user_id)s
