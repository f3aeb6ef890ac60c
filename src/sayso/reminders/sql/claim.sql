-- Take what is ready, the earliest first, and hold it for a while: whoever dies with it leaves it to the others. Rows that
-- another runner is taking are passed over.
UPDATE sayso_jobs.reminders_due AS due
SET ready_at = %(until)s::timestamptz
FROM (
    SELECT ctid AS place
    FROM sayso_jobs.reminders_due
    WHERE ready_at <= %(now)s::timestamptz
    ORDER BY ready_at
    LIMIT %(limit)s
    FOR UPDATE SKIP LOCKED
) AS ready
WHERE due.ctid = ready.place
RETURNING due.user_id, due.task_id, due.remind_at
