-- A lease of a reminder gets a column without an index: a claim then changes no index, so it costs the same however many
-- reminders wait. `ready_at` is now when a runner may take it, `held_until` when the lease of the last runner ends.
-- A replica of the release before ignores the lease: while both run, a channel can get a message twice under one id.

ALTER TABLE sayso_jobs.reminders_due ADD COLUMN held_until timestamptz NOT NULL DEFAULT '-infinity';
-- Room on each page for the changed row.
ALTER TABLE sayso_jobs.reminders_due SET (fillfactor = 80);

CREATE OR REPLACE FUNCTION sayso.queue_reminder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        DELETE FROM sayso_jobs.reminders_due WHERE user_id = OLD.user_id AND task_id = OLD.id;
    ELSIF NEW.remind_at IS NULL OR NEW.status <> 'pending' OR NEW.deleted_at IS NOT NULL THEN
        DELETE FROM sayso_jobs.reminders_due WHERE user_id = NEW.user_id AND task_id = NEW.id;
    ELSE
        INSERT INTO sayso_jobs.reminders_due (user_id, task_id, remind_at, ready_at)
        VALUES (NEW.user_id, NEW.id, NEW.remind_at, NEW.remind_at)
        ON CONFLICT (user_id, task_id) DO UPDATE
        SET remind_at = excluded.remind_at, ready_at = excluded.ready_at, held_until = excluded.held_until;
    END IF;
    RETURN NULL;
END
$$;
