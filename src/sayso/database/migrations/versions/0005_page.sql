-- What the page needs: how often a user's list has changed, whoever changed it; and the last conversations.
--
-- The count moves at commit, by a deferred trigger: nobody who still waits for a task holds it, so that no two
-- transactions wait for each other, and it moves once a transaction however many tasks were touched.

CREATE TABLE changes (
    user_id text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (user_id)
);

CREATE INDEX conversations_by_age ON conversations (user_id, created_at);

DO $$
BEGIN
    ALTER TABLE changes ENABLE ROW LEVEL SECURITY;
    ALTER TABLE changes FORCE ROW LEVEL SECURITY;
    CREATE POLICY changes_of_the_user ON changes
        USING (user_id = nullif(current_setting('app.user_id', true), ''))
        WITH CHECK (user_id = nullif(current_setting('app.user_id', true), ''));
    GRANT SELECT, INSERT, UPDATE, DELETE ON changes TO sayso_app;
END
$$;

CREATE FUNCTION count_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('app.changed', true) IS DISTINCT FROM NEW.user_id THEN
        PERFORM set_config('app.changed', NEW.user_id, true);
        INSERT INTO sayso.changes (user_id, number) VALUES (NEW.user_id, 1)
        ON CONFLICT (user_id) DO UPDATE SET number = changes.number + 1;
    END IF;
    RETURN NULL;
END
$$;

-- What is tidied away was deleted long ago: nobody's list changes by that.
CREATE CONSTRAINT TRIGGER tasks_changed AFTER INSERT OR UPDATE ON tasks
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_change();
