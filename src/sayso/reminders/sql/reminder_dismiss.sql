UPDATE reminders
SET dismissed_at = coalesce(dismissed_at, %(now)s)
WHERE user_id = %(user_id)s AND id = %(id)s
RETURNING id
