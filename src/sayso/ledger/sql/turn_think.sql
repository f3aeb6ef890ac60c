INSERT INTO turns (
    user_id, conversation_id, number, id, client_message_id, message, state, fence, lease_until, plan, trail_number, created_at
)
VALUES (
    %(user_id)s, %(conversation)s, %(number)s, %(id)s, %(client_message_id)s, %(message)s, 'thinking', 1, %(lease_until)s,
    %(plan)s, %(trail_number)s, %(now)s
)
