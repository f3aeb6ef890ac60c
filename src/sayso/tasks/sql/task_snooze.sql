-- A task rings again at another moment; null is its own one again.
UPDATE tasks
SET snoozed_until = %(until)s, updated_at = %(now)s, version = version + 1
WHERE user_id = %(user_id)s AND id = %(id)s AND deleted_at IS NULL AND status = 'pending' AND remind IS NOT NULL
