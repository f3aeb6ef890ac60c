-- What rings and is not dealt with: the task is open, it has not been moved, and nobody dismissed the reminder. Then what
-- is to ring before the end of the day. Both have the columns of a reminder.
(
    SELECT r.id, t.id, t.title, t.due_date, t.due_time, r.remind_at, r.rang_at, r.late_minutes
    FROM reminders AS r
    INNER JOIN tasks AS t ON r.user_id = t.user_id AND r.task_id = t.id
    WHERE
        r.user_id = %(user_id)s
        AND r.rang_at > %(now)s::timestamptz - interval '30 days'
        AND r.dismissed_at IS NULL
        AND t.remind_at = r.remind_at
        AND t.status = 'pending'
        AND t.deleted_at IS NULL
    ORDER BY r.rang_at DESC, r.id
    LIMIT %(limit)s
)
UNION ALL
(
    SELECT t.id, t.id, t.title, t.due_date, t.due_time, t.remind_at, NULL, NULL
    FROM tasks AS t
    WHERE
        t.user_id = %(user_id)s
        AND t.remind_at > %(now)s::timestamptz
        AND t.remind_at < %(ends)s::timestamptz
        AND t.status = 'pending'
        AND t.deleted_at IS NULL
    ORDER BY t.remind_at, t.id
    LIMIT %(limit)s
)
