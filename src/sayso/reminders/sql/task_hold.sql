-- A task that is to ring, held until the transaction ends, and whose it is. No row: it does not ring at this moment any more.
SELECT t.title, t.due_date, t.due_time, t.updated_at, u.zone, u.language, s.morning, s.quiet_from, s.quiet_to
FROM tasks AS t
INNER JOIN users AS u ON t.user_id = u.user_id
LEFT JOIN reminder_settings AS s ON t.user_id = s.user_id
WHERE
    t.user_id = %(user_id)s
    AND t.id = %(task_id)s
    AND t.remind_at = %(remind_at)s
    AND t.status = 'pending'
    AND t.deleted_at IS NULL
FOR UPDATE OF t
