-- Tasks that repeat, named lists and lead times of reminders, and the occurrences that were completed.
--
-- The columns may be null and have no default, and the constraints hold for new rows alone: no row is rewritten or checked.
-- The release before this one goes on adding tasks without them.

ALTER TABLE tasks
    -- an RFC 5545 rule without DTSTART, in canonical form: the due date is its start
    ADD COLUMN repeat text COLLATE "C",
    ADD COLUMN list text,
    -- what lists are compared by: folded by the application
    ADD COLUMN list_key text COLLATE "C",
    -- an ISO 8601 duration before the due date
    ADD COLUMN remind text COLLATE "C",
    ADD CONSTRAINT tasks_repeat_check CHECK (repeat <> '' AND char_length(repeat) <= 300) NOT VALID,
    ADD CONSTRAINT tasks_list_check CHECK (char_length(list) BETWEEN 1 AND 60 AND (list IS NULL) = (list_key IS NULL))
        NOT VALID,
    ADD CONSTRAINT tasks_remind_check CHECK (remind <> '' AND char_length(remind) <= 40) NOT VALID;

-- the order of a named list; no task is on one yet, so it is empty at first
CREATE INDEX tasks_on_list ON tasks (user_id, list_key, status DESC, due_date, due_time, created_at, id)
WHERE deleted_at IS NULL AND list_key IS NOT NULL;

-- The dates of a repeating task that were completed. The version that the task had then tells one from another.
CREATE TABLE occurrences (
    user_id text COLLATE "C" NOT NULL,
    task_id uuid NOT NULL,
    version integer NOT NULL,
    due_date date,
    due_time time(0),
    -- the rule from that date on
    repeat text COLLATE "C" NOT NULL,
    completed_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, task_id, version)
);

DO $$
BEGIN
    ALTER TABLE occurrences ENABLE ROW LEVEL SECURITY;
    ALTER TABLE occurrences FORCE ROW LEVEL SECURITY;
    CREATE POLICY occurrences_of_the_user ON occurrences
        USING (user_id = nullif(current_setting('app.user_id', true), ''))
        WITH CHECK (user_id = nullif(current_setting('app.user_id', true), ''));
    GRANT SELECT, INSERT, UPDATE, DELETE ON occurrences TO sayso_app;
END
$$;
