-- All that a turn leaves beside its deeds: its entries in the trail, whose end moves, its ways back, and the turn itself.
WITH
added AS (
    INSERT INTO trail (user_id, number, at, kind, conversation_id, body, salt, body_hash, hash)
    SELECT
        %(user_id)s, number, at, kind, conversation, body, decode(salt, 'hex'), decode(body_hash, 'hex'), decode(hash, 'hex')
    FROM json_to_recordset(%(entries)s::json) AS entry (
        number bigint, at timestamptz, kind text, conversation uuid, body text, salt text, body_hash text, hash text
    )
),
moved AS (
    UPDATE trails SET number = %(trail_number)s, hash = %(hash)s WHERE user_id = %(user_id)s
),
ways_back AS (
    INSERT INTO backs (user_id, number, back, created_at)
    SELECT %(user_id)s, number, back, %(now)s
    FROM json_to_recordset(%(backs)s::json) AS way (number bigint, back text)
)
INSERT INTO turns (
    user_id, conversation_id, number, id, client_message_id, message, state, lang, reply, shown, asked, answer, trail_number,
    created_at
)
VALUES (
    %(user_id)s, %(conversation)s, %(number)s, %(id)s, %(client_message_id)s, %(message)s, 'done', %(lang)s, %(reply)s,
    %(shown)s, %(asked)s, %(answer)s, %(trail_number)s, %(now)s
)
