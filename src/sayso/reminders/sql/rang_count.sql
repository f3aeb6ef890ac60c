-- Open pages are told that something rang.
INSERT INTO changes (user_id, number, rang) VALUES (%(user_id)s, 1, 1)
ON CONFLICT (user_id) DO UPDATE SET number = changes.number + 1, rang = changes.rang + 1
