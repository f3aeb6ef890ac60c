-- What a conversation rests on: its last turns, the newest first (which alone may still be thinking), what was chosen
-- before, and what was done last.
SELECT
    (
        SELECT json_agg(turn)::text
        FROM (
            SELECT number, message, lease_until, lang, reply, shown, asked
            FROM turns
            WHERE user_id = %(user_id)s AND conversation_id = %(conversation)s
            ORDER BY number DESC
            LIMIT %(turns)s
        ) AS turn
    ),
    (
        SELECT json_agg(preference)::text
        FROM (
            SELECT said, chose, times
            FROM preferences
            WHERE user_id = %(user_id)s
            ORDER BY used_at DESC
            LIMIT 50
        ) AS preference
    ),
    (
        SELECT row_to_json(newest)::text
        FROM (
            SELECT number, back
            FROM backs
            WHERE user_id = %(user_id)s
            ORDER BY number DESC
            LIMIT 1
        ) AS newest
    )
