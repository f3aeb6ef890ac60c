-- What is under way for a user: turns that a model thinks about, and reminders that a runner is sending.
SELECT
    (
        SELECT count(*)
        FROM sayso_jobs.procrastinate_jobs
        WHERE args ->> 'user_id' = %(user_id)s AND status IN ('todo', 'doing')
    ) + (
        SELECT count(*)
        FROM sayso_jobs.reminders_due
        WHERE user_id = %(user_id)s AND held_until > now()
    )
