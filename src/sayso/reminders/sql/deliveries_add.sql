INSERT INTO deliveries (user_id, id, task_id, remind_at, channel_id, created_at)
SELECT user_id, gen_random_uuid(), %(task_id)s, %(remind_at)s, id, %(now)s
FROM channels
WHERE user_id = %(user_id)s
ON CONFLICT (user_id, task_id, remind_at, channel_id) DO NOTHING
