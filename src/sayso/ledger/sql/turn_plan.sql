-- Another plan for a turn that is thinking and ours.
UPDATE turns SET plan = %(plan)s
WHERE user_id = %(user_id)s AND conversation_id = %(conversation)s AND number = %(number)s AND state = 'thinking'
