UPDATE cards
SET state = 'superseded', settled_at = %(now)s
WHERE user_id = %(user_id)s AND conversation_id = %(conversation)s AND state = 'pending'
