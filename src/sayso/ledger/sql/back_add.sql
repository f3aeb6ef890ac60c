INSERT INTO backs (user_id, number, back, created_at)
SELECT %(user_id)s, number, back, %(now)s
FROM json_to_recordset(%(backs)s::json) AS way (number bigint, back text)
