DELETE FROM words WHERE user_id = %(user_id)s AND word = ANY (%(words)s::text[]) AND task_id = %(id)s
