UPDATE turns
SET
    state = 'done',
    plan = NULL,
    lease_until = NULL,
    lang = %(lang)s,
    reply = %(reply)s,
    shown = %(shown)s,
    asked = %(asked)s,
    answer = %(answer)s,
    trail_number = %(trail_number)s
WHERE user_id = %(user_id)s AND conversation_id = %(conversation)s AND number = %(number)s AND state = 'thinking'
