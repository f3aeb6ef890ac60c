-- A page of all tasks in the order of task_list. Without its filters the prepared plan reads only this page: with them
-- PostgreSQL expects one row, and a general plan sorts the whole list.
SELECT id, title, description, status, priority, due_date, due_time, repeat, list, remind, created_at, version
FROM tasks
WHERE user_id = %(user_id)s AND deleted_at IS NULL
ORDER BY status DESC, due_date, due_time, created_at, id
LIMIT %(limit)s OFFSET %(offset)s
