SELECT id, late_minutes
FROM reminders
WHERE user_id = %(user_id)s AND task_id = %(task_id)s AND remind_at = %(remind_at)s
