-- Come back to a reminder at another time; one that has moved since it was claimed stays as it is.
UPDATE sayso_jobs.reminders_due
SET ready_at = %(at)s, held_until = '-infinity'
WHERE user_id = %(user_id)s AND task_id = %(task_id)s AND remind_at = %(remind_at)s AND held_until = %(until)s
