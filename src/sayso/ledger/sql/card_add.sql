INSERT INTO cards (user_id, id, conversation_id, turn_number, tool, definition, asked, digest, expires_at)
VALUES (
    %(user_id)s, %(id)s, %(conversation)s, %(turn)s, %(tool)s, %(definition)s, %(asked)s, %(digest)s, %(expires_at)s
)
