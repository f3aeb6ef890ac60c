-- The task comes as one JSON text: quoting one value takes a fifth of the time that quoting ten takes.
WITH
given AS (
    SELECT *
    FROM json_to_record(%(task)s::json) AS task (
        id uuid, title text, title_key text, description text, description_key text, priority text, due_date date,
        due_time time, repeat text, list text, list_key text, remind text, created_at timestamptz, words text[]
    )
),
added AS (
    INSERT INTO tasks (
        user_id, id, title, title_key, description, description_key, priority, due_date, due_time, repeat, list, list_key,
        remind, created_at, updated_at
    )
    SELECT
        %(user_id)s, id, title, title_key, description, description_key, priority, due_date, due_time, repeat, list, list_key,
        remind, created_at, created_at
    FROM given
)
INSERT INTO words (user_id, word, task_id)
SELECT %(user_id)s, unnest(words), id FROM given
