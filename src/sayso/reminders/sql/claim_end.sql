-- Nothing more to do about a reminder; one that has moved since it was claimed stays.
DELETE FROM sayso_jobs.reminders_due
WHERE user_id = %(user_id)s AND task_id = %(task_id)s AND remind_at = %(remind_at)s AND held_until = %(until)s
