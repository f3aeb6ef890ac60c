-- Whether a turn may begin: the conversation must be there, and the message new. The end of the trail is held, so nobody
-- else begins one meanwhile.
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
    )
