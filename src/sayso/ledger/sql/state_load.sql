-- What a turn rests on: whether the conversation is there, and the turn that this message had, if it came before; then the
-- last turns, the newest first (which alone may still be thinking), what was chosen before, and what was done last. A
-- statement before this one holds the end of the trail: this one sees what those before us have committed.
SELECT
    EXISTS (SELECT 1 FROM conversations WHERE user_id = %(user_id)s AND id = %(conversation)s),
    (
        SELECT row_to_json(same)
        FROM (
            SELECT message, state, answer
            FROM turns
            WHERE
                user_id = %(user_id)s
                AND conversation_id = %(conversation)s
                AND client_message_id = %(client_message_id)s
        ) AS same
    ),
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
