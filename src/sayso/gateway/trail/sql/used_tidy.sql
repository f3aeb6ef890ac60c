-- A seal is good for ten minutes; what was consumed before that need not be known for ever.
DELETE FROM confirmations WHERE user_id = %(user_id)s AND consumed_at < now() - interval '7 days'
