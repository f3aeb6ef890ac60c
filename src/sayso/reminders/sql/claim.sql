-- Take what is ready, the earliest first, and hold it for a while: whoever dies with it leaves it to the others. Rows that
-- another runner is taking are passed over.
UPDATE sayso_jobs.reminders_due AS due
SET ready_at = %(until)s::timestamptz
FROM (
    SELECT user_id, task_id
    FROM sayso_jobs.reminders_due
    WHERE ready_at <= %(now)s::timestamptz
    ORDER BY ready_at
    LIMIT %(limit)s
    FOR UPDATE SKIP LOCKED
) AS ready
WHERE due.user_id = ready.user_id AND due.task_id = ready.task_id
RETURNING due.user_id, due.task_id, due.remind_at
