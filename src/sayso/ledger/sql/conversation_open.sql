WITH trail_begun AS (
    INSERT INTO trails (user_id, number, hash) VALUES (%(user_id)s, 0, %(hash)s) ON CONFLICT (user_id) DO NOTHING
)
INSERT INTO conversations (user_id, id, created_at) VALUES (%(user_id)s, %(id)s, %(now)s)
