-- Take a turn that is thinking: whoever holds its fence, or anybody once the lease is over. The fence moves on, so that
-- whoever held it before can finish nothing any more.
UPDATE turns
SET fence = fence + 1, lease_until = %(lease_until)s
WHERE
    user_id = %(user_id)s
    AND conversation_id = %(conversation)s
    AND number = %(number)s
    AND state = 'thinking'
    AND (fence = %(fence)s OR lease_until <= %(now)s)
RETURNING id, fence, client_message_id, message, plan, lang
