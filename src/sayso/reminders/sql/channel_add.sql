-- The same address is one channel: added again, it is sealed again and keeps its id.
INSERT INTO channels (user_id, id, kind, label, sealed, mark, created_at)
SELECT %(user_id)s, %(id)s, %(kind)s, %(label)s, %(sealed)s, %(mark)s, %(now)s
WHERE
    (SELECT count(*) FROM channels WHERE user_id = %(user_id)s) < %(most)s
    OR EXISTS (SELECT 1 FROM channels WHERE user_id = %(user_id)s AND mark = %(mark)s)
ON CONFLICT (user_id, mark) DO UPDATE SET label = excluded.label, sealed = excluded.sealed
RETURNING id
