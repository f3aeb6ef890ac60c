WITH added AS (
    INSERT INTO trail (user_id, number, at, kind, conversation_id, body, salt, body_hash, hash)
    SELECT
        %(user_id)s, number, at, kind, conversation, body, decode(salt, 'hex'), decode(body_hash, 'hex'), decode(hash, 'hex')
    FROM json_to_recordset(%(entries)s::json) AS entry (
        number bigint, at timestamptz, kind text, conversation uuid, body text, salt text, body_hash text, hash text
    )
)
UPDATE trails SET number = %(number)s, hash = %(hash)s WHERE user_id = %(user_id)s
