-- Take what is ready, the earliest first, and hold it until the lease ends: if this runner dies, another one takes it then.
-- Rows that another runner is taking are skipped.
UPDATE sayso_jobs.reminders_due AS due
SET held_until = %(until)s::timestamptz
FROM (
    SELECT ctid AS place
    FROM sayso_jobs.reminders_due
    WHERE ready_at <= %(now)s::timestamptz AND held_until <= %(now)s::timestamptz
    ORDER BY ready_at
    LIMIT %(limit)s
    FOR UPDATE SKIP LOCKED
) AS ready
WHERE due.ctid = ready.place
RETURNING due.user_id, due.task_id, due.remind_at
