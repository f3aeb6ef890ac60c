-- One statement uses the card: a second transaction finds no pending one.
UPDATE cards
SET state = %(state)s, settled_at = %(now)s
WHERE user_id = %(user_id)s AND id = %(id)s AND state = 'pending'
RETURNING id
