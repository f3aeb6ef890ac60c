SELECT d.id, d.attempts, c.id, c.kind, c.sealed
FROM deliveries AS d
INNER JOIN channels AS c ON d.user_id = c.user_id AND d.channel_id = c.id
WHERE d.user_id = %(user_id)s AND d.task_id = %(task_id)s AND d.remind_at = %(remind_at)s AND d.state = 'waiting'
