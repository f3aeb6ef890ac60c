DELETE FROM occurrences WHERE user_id = %(user_id)s AND task_id = %(task_id)s AND version = %(version)s
