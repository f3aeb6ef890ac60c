-- Orders whose sender did not live to hear the answer.
UPDATE orders SET state = 'unknown', settled_at = %(now)s
WHERE user_id = %(user_id)s AND state = 'sent' AND expires_at < %(before)s
RETURNING id
