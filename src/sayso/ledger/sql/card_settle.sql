-- One statement consumes it: whoever comes second finds nothing that is pending.
UPDATE cards
SET state = %(state)s, settled_at = %(now)s
WHERE user_id = %(user_id)s AND id = %(id)s AND state = 'pending'
RETURNING id
