INSERT INTO turns (
    user_id, conversation_id, number, id, client_message_id, message, state, lang, reply, shown, asked, answer, trail_number,
    created_at
)
VALUES (
    %(user_id)s, %(conversation)s, %(number)s, %(id)s, %(client_message_id)s, %(message)s, 'done', %(lang)s, %(reply)s,
    %(shown)s, %(asked)s, %(answer)s, %(trail_number)s, %(now)s
)
