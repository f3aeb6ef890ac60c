-- How many tasks were completed within a day, dates of repeating tasks included, and how many are open and due on it.
SELECT
    (
        SELECT count(*)
        FROM tasks
        WHERE
            user_id = %(user_id)s
            AND deleted_at IS NULL
            AND status = 'completed'
            AND completed_at >= %(begins)s::timestamptz
            AND completed_at < %(ends)s::timestamptz
    )
    + (
        SELECT count(*)
        FROM occurrences AS done
        INNER JOIN tasks ON done.user_id = tasks.user_id AND done.task_id = tasks.id
        WHERE
            done.user_id = %(user_id)s
            AND tasks.deleted_at IS NULL
            AND done.completed_at >= %(begins)s::timestamptz
            AND done.completed_at < %(ends)s::timestamptz
    ),
    (
        SELECT count(*)
        FROM tasks
        WHERE user_id = %(user_id)s AND deleted_at IS NULL AND status = 'pending' AND due_date = %(day)s::date
    )
