-- Reminders: when a task rings, what has rung, where it is sent, and what rings next.
--
-- The database computes the moment itself, in the transaction that changes the task, the person's zone or their morning
-- hour: no writer can forget it, the release before this one included. The new columns may be null and have no default, so
-- no row is rewritten. A task that was there before gets its moment with its next change.

-- in the order in which the services use them: else a transaction that has a user and waits for a task would be waited for
LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE;

ALTER TABLE tasks
    -- when it rings, computed by a trigger; it stays when the task is completed or deleted, so that undo brings it back
    ADD COLUMN remind_at timestamptz,
    -- set by a snooze; any change of the due date or the lead time clears it
    ADD COLUMN snoozed_until timestamptz;

CREATE INDEX tasks_to_remind ON tasks (user_id, remind_at)
WHERE remind_at IS NOT NULL AND deleted_at IS NULL AND status = 'pending';

-- how often reminders have rung, beside how often the list has changed: an open page is told of both
ALTER TABLE changes ADD COLUMN rang bigint NOT NULL DEFAULT 0;

CREATE TABLE reminder_settings (
    user_id text COLLATE "C" NOT NULL,
    -- when a task without a time rings
    morning time(0) NOT NULL DEFAULT '09:00',
    quiet_from time(0),
    quiet_to time(0),
    CHECK ((quiet_from IS NULL) = (quiet_to IS NULL)),
    PRIMARY KEY (user_id)
);

CREATE TABLE reminders (
    user_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    task_id uuid NOT NULL,
    remind_at timestamptz NOT NULL,
    rang_at timestamptz NOT NULL,
    late_minutes integer,
    dismissed_at timestamptz,
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, task_id, remind_at)
);

CREATE INDEX reminders_by_age ON reminders (user_id, rang_at);

CREATE TABLE channels (
    user_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('push', 'address')),
    label text NOT NULL CHECK (char_length(label) BETWEEN 1 AND 100),
    -- the address or the subscription, sealed by the application
    sealed text COLLATE "C" NOT NULL,
    -- a keyed hash of it: the same address is one channel
    mark bytea NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, mark)
);

-- One row for each channel that a reminder is sent over, written before it is sent.
CREATE TABLE deliveries (
    user_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    task_id uuid NOT NULL,
    remind_at timestamptz NOT NULL,
    channel_id uuid NOT NULL,
    state text COLLATE "C" NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    settled_at timestamptz,
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, task_id, remind_at, channel_id)
);

CREATE INDEX deliveries_by_age ON deliveries (user_id, created_at);

DO $$
DECLARE
    parent text;
BEGIN
    FOREACH parent IN ARRAY ARRAY['reminder_settings', 'reminders', 'channels', 'deliveries'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', parent);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', parent);
        EXECUTE format(
            'CREATE POLICY %I ON %I USING (user_id = nullif(current_setting(''app.user_id'', true), ''''))'
            ' WITH CHECK (user_id = nullif(current_setting(''app.user_id'', true), ''''))',
            parent || '_of_the_user', parent
        );
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO sayso_app', parent);
    END LOOP;
END
$$;

-- What rings next, of all people: a runner must find it without knowing whose it is. Like the jobs it holds ids and moments
-- and nothing that anybody said, so it needs no row security. `ready_at` is when a runner may take it: the moment itself,
-- the end of another runner's lease, or the next attempt.
CREATE TABLE sayso_jobs.reminders_due (
    user_id text COLLATE "C" NOT NULL,
    task_id uuid NOT NULL,
    remind_at timestamptz NOT NULL,
    ready_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, task_id)
);
CREATE INDEX reminders_due_ready ON sayso_jobs.reminders_due (ready_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON sayso_jobs.reminders_due TO sayso_app;

-- The moment of a wall clock in a zone. Of a time that comes twice, the first; of one that is left out, as much later as the
-- clock is put forward.
CREATE FUNCTION moment_of(wall timestamp, zone text) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
    found timestamptz := wall AT TIME ZONE zone;
    shift interval;
BEGIN
    FOREACH shift IN ARRAY ARRAY[interval '1 hour', interval '30 minutes'] LOOP
        IF (found - shift) AT TIME ZONE zone = wall THEN
            RETURN found - shift;
        END IF;
    END LOOP;
    RETURN found;
EXCEPTION
    WHEN invalid_parameter_value THEN RETURN wall AT TIME ZONE 'UTC';  -- a zone that only the application knows
END
$$;

-- Days and weeks of a lead time are days of the calendar; hours, minutes and seconds are time that passes.
CREATE FUNCTION ringing_at(due_date date, due_time time, remind text, zone text, morning time) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
    SELECT
        sayso.moment_of(due_date + coalesce(due_time, morning) - make_interval(days => whole_days), zone)
        - (lead - make_interval(days => whole_days))
    FROM (SELECT remind::interval AS lead, extract(day FROM remind::interval)::integer AS whole_days) AS given
$$;

CREATE FUNCTION set_remind_at() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    person record;
BEGIN
    IF TG_OP = 'UPDATE'
        AND (OLD.due_date, OLD.due_time, OLD.remind) IS DISTINCT FROM (NEW.due_date, NEW.due_time, NEW.remind)
    THEN
        NEW.snoozed_until := NULL;
    END IF;
    IF NEW.due_date IS NULL OR NEW.remind IS NULL THEN
        NEW.remind_at := NULL;
    ELSIF NEW.snoozed_until IS NOT NULL THEN
        NEW.remind_at := NEW.snoozed_until;
    ELSE
        SELECT u.zone, s.morning INTO person
        FROM sayso.users AS u
        LEFT JOIN sayso.reminder_settings AS s ON s.user_id = u.user_id
        WHERE u.user_id = NEW.user_id;
        NEW.remind_at := sayso.ringing_at(
            NEW.due_date, NEW.due_time, NEW.remind, coalesce(person.zone, 'UTC'), coalesce(person.morning, time '09:00')
        );
    END IF;
    IF NEW.remind_at NOT BETWEEN '1970-01-02' AND '9999-12-01' THEN  -- beyond what every client can read
        NEW.remind_at := NULL;
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER tasks_remind_when_added BEFORE INSERT ON tasks FOR EACH ROW
WHEN (NEW.remind IS NOT NULL AND NEW.due_date IS NOT NULL) EXECUTE FUNCTION set_remind_at();

CREATE TRIGGER tasks_remind_when_changed BEFORE UPDATE ON tasks FOR EACH ROW
WHEN (
    (OLD.due_date, OLD.due_time, OLD.remind, OLD.snoozed_until, OLD.remind_at)
    IS DISTINCT FROM (NEW.due_date, NEW.due_time, NEW.remind, NEW.snoozed_until, NEW.remind_at)
) EXECUTE FUNCTION set_remind_at();

-- What waits to ring follows the task: a task that is done, deleted or moved does not ring, and undo puts it back.
CREATE FUNCTION queue_reminder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        DELETE FROM sayso_jobs.reminders_due WHERE user_id = OLD.user_id AND task_id = OLD.id;
    ELSIF NEW.remind_at IS NULL OR NEW.status <> 'pending' OR NEW.deleted_at IS NOT NULL THEN
        DELETE FROM sayso_jobs.reminders_due WHERE user_id = NEW.user_id AND task_id = NEW.id;
    ELSE
        INSERT INTO sayso_jobs.reminders_due (user_id, task_id, remind_at, ready_at)
        VALUES (NEW.user_id, NEW.id, NEW.remind_at, NEW.remind_at)
        ON CONFLICT (user_id, task_id) DO UPDATE SET remind_at = excluded.remind_at, ready_at = excluded.ready_at;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER tasks_queue_when_added AFTER INSERT ON tasks FOR EACH ROW
WHEN (NEW.remind_at IS NOT NULL) EXECUTE FUNCTION queue_reminder();

CREATE TRIGGER tasks_queue_when_changed AFTER UPDATE ON tasks FOR EACH ROW
WHEN (
    (OLD.remind_at IS NOT NULL OR NEW.remind_at IS NOT NULL)
    AND (OLD.remind_at, OLD.status, OLD.deleted_at) IS DISTINCT FROM (NEW.remind_at, NEW.status, NEW.deleted_at)
) EXECUTE FUNCTION queue_reminder();

CREATE TRIGGER tasks_queue_when_gone AFTER DELETE ON tasks FOR EACH ROW
WHEN (OLD.remind_at IS NOT NULL) EXECUTE FUNCTION queue_reminder();

-- A person who moves to another zone, or gets up at another hour, is reminded by their new clock. A snooze is a moment, and
-- stays.
CREATE FUNCTION recompute_reminders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE sayso.tasks SET remind_at = NULL
    WHERE user_id = NEW.user_id AND remind_at IS NOT NULL AND snoozed_until IS NULL;
    RETURN NULL;
END
$$;

CREATE TRIGGER users_zone_changed AFTER UPDATE ON users FOR EACH ROW
WHEN (OLD.zone IS DISTINCT FROM NEW.zone) EXECUTE FUNCTION recompute_reminders();

CREATE TRIGGER reminder_settings_added AFTER INSERT ON reminder_settings FOR EACH ROW
WHEN (NEW.morning <> time '09:00') EXECUTE FUNCTION recompute_reminders();

CREATE TRIGGER reminder_settings_changed AFTER UPDATE ON reminder_settings FOR EACH ROW
WHEN (OLD.morning <> NEW.morning) EXECUTE FUNCTION recompute_reminders();
