-- Take a turn that is thinking: the process that holds its fence, or any process after the lease. The fence changes, so that
-- the process that held it before can finish nothing.
UPDATE turns
SET fence = fence + 1, lease_until = %(lease_until)s
WHERE
    user_id = %(user_id)s
    AND conversation_id = %(conversation)s
    AND number = %(number)s
    AND state = 'thinking'
    AND (fence = %(fence)s OR lease_until <= %(now)s)
RETURNING id, fence, client_message_id, message, plan, lang
