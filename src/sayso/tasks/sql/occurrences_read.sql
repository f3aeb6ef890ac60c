-- What was completed of a repeating task, the latest first. Versions only grow, so they give the order.
SELECT version, due_date, due_time, repeat, completed_at
FROM occurrences
WHERE user_id = %(user_id)s AND task_id = %(task_id)s
ORDER BY version DESC
LIMIT %(limit)s
