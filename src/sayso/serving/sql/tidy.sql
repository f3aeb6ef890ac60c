-- What a user can no longer reach: tasks deleted 30 days ago; answers, orders and confirmations that nobody will ask for
-- again.
WITH
old_tasks AS (
    DELETE FROM tasks WHERE user_id = %(user_id)s AND deleted_at < %(now)s::timestamptz - interval '30 days' RETURNING id
),
old_words AS (
    DELETE FROM words USING old_tasks WHERE user_id = %(user_id)s AND task_id = old_tasks.id
),
old_occurrences AS (
    DELETE FROM occurrences USING old_tasks WHERE user_id = %(user_id)s AND task_id = old_tasks.id
),
old_answers AS (
    DELETE FROM answers WHERE user_id = %(user_id)s AND created_at < %(now)s::timestamptz - interval '7 days'
),
old_reminders AS (
    DELETE FROM reminders WHERE user_id = %(user_id)s AND rang_at < %(now)s::timestamptz - interval '30 days'
),
old_deliveries AS (
    DELETE FROM deliveries WHERE user_id = %(user_id)s AND created_at < %(now)s::timestamptz - interval '30 days'
),
old_orders AS (
    DELETE FROM orders WHERE user_id = %(user_id)s AND created_at < %(now)s::timestamptz - interval '7 days'
)
DELETE FROM confirmations WHERE user_id = %(user_id)s AND consumed_at < %(now)s::timestamptz - interval '7 days'
