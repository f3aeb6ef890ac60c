-- Users, tasks with their words, stored answers and consumed confirmations.
--
-- Every key begins with user_id, so that one database can become many. The policies are the second lock: the application
-- names the user in every query, and the database refuses all others. Until version 0011 these tables, and those of the
-- migrations after this one, had sixteen hash partitions each; see there.

CREATE TABLE users (
    user_id text COLLATE "C" NOT NULL CHECK (user_id <> '' AND char_length(user_id) <= 255),
    name text,
    email text,
    zone text NOT NULL,
    language text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id)
);

CREATE TABLE tasks (
    user_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 200),
    description text NOT NULL DEFAULT '' CHECK (char_length(description) <= 1000),
    -- what is compared: folded by the application, the same on every database whatever its locale
    title_key text COLLATE "C" NOT NULL,
    description_key text COLLATE "C" NOT NULL DEFAULT '',
    priority text COLLATE "C" NOT NULL DEFAULT 'medium' CHECK (priority IN ('low', 'medium', 'high')),
    -- a wall clock in the user's zone: five o'clock stays five o'clock wherever they go
    due_date date,
    due_time time(0) CHECK (due_time IS NULL OR due_date IS NOT NULL),
    status text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'completed')),
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    completed_at timestamptz CHECK ((completed_at IS NOT NULL) = (status = 'completed')),
    deleted_at timestamptz,
    PRIMARY KEY (user_id, id)
);

-- the order of a list, so that a page needs no sorting
CREATE INDEX tasks_in_order ON tasks (user_id, status DESC, due_date, due_time, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX tasks_by_title ON tasks (user_id, title_key) WHERE deleted_at IS NULL;
CREATE INDEX tasks_deleted ON tasks (user_id, deleted_at) WHERE deleted_at IS NOT NULL;

-- The words of titles and descriptions. Row security keeps trigram and text indexes from being used, since their operators
-- could leak what they see of others; comparing whole words and their beginnings cannot.
CREATE TABLE words (
    user_id text COLLATE "C" NOT NULL,
    word text COLLATE "C" NOT NULL,
    task_id uuid NOT NULL,
    PRIMARY KEY (user_id, word, task_id)
);

CREATE TABLE answers (
    user_id text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL CHECK (key <> '' AND char_length(key) <= 200),
    body bytea NOT NULL,
    -- null only while the transaction that writes it runs
    answer text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, key)
);

CREATE INDEX answers_by_age ON answers (user_id, created_at);

CREATE TABLE confirmations (
    user_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    digest bytea NOT NULL,
    answer text,
    consumed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, id)
);

CREATE INDEX confirmations_by_age ON confirmations (user_id, consumed_at);

DO $$
DECLARE
    parent text;
BEGIN
    FOREACH parent IN ARRAY ARRAY['users', 'tasks', 'words', 'answers', 'confirmations'] LOOP
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
