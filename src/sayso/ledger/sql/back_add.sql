INSERT INTO backs (user_id, number, back, created_at) VALUES (%(user_id)s, %(number)s, %(back)s, %(now)s)
