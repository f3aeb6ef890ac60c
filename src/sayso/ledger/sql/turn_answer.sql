SELECT answer FROM turns WHERE user_id = %(user_id)s AND conversation_id = %(conversation)s AND number = %(number)s
