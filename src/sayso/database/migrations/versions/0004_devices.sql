-- Machines: what they can do and measure, what they measured lately, and the orders that they were given.
--
-- Keys and policies as for tasks. What a machine is comes from its owner (a file, or discovery); whether it is connected,
-- and what it measures, comes from the machine.

CREATE TABLE machines (
    user_id text COLLATE "C" NOT NULL,
    -- also the machine's name in topics
    id text COLLATE "C" NOT NULL CHECK (id <> '' AND char_length(id) <= 200),
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    serial text NOT NULL DEFAULT '' CHECK (char_length(serial) <= 200),
    description text NOT NULL DEFAULT '' CHECK (char_length(description) <= 1000),
    location text NOT NULL DEFAULT '' CHECK (char_length(location) <= 200),
    aliases text[] NOT NULL DEFAULT '{}',
    firmware text,
    connected boolean,
    last_seen timestamptz,
    -- where it says whether it is connected, if it does not speak our own layout
    wire jsonb,
    definition bytea NOT NULL,
    version integer NOT NULL DEFAULT 1,
    PRIMARY KEY (user_id, id)
);

CREATE INDEX machines_by_serial ON machines (user_id, lower(serial)) WHERE serial <> '';

CREATE TABLE commands (
    user_id text COLLATE "C" NOT NULL,
    machine_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL CHECK (id <> '' AND char_length(id) <= 200),
    place integer NOT NULL,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    description text NOT NULL DEFAULT '' CHECK (char_length(description) <= 1000),
    destructive boolean NOT NULL,
    takes_value boolean NOT NULL,
    minimum double precision,
    maximum double precision,
    unit text,
    wire jsonb,
    PRIMARY KEY (user_id, machine_id, id),
    FOREIGN KEY (user_id, machine_id) REFERENCES machines (user_id, id) ON DELETE CASCADE
);

CREATE TABLE metrics (
    user_id text COLLATE "C" NOT NULL,
    machine_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL CHECK (name <> '' AND char_length(name) <= 200),
    place integer NOT NULL,
    unit text,
    wire jsonb,
    value jsonb,
    at timestamptz,
    PRIMARY KEY (user_id, machine_id, name),
    FOREIGN KEY (user_id, machine_id) REFERENCES machines (user_id, id) ON DELETE CASCADE
);

CREATE TABLE readings (
    user_id text COLLATE "C" NOT NULL,
    machine_id text COLLATE "C" NOT NULL,
    metric text COLLATE "C" NOT NULL,
    at timestamptz NOT NULL,
    value jsonb NOT NULL,
    PRIMARY KEY (user_id, machine_id, metric, at)
);

CREATE INDEX readings_by_age ON readings (user_id, at);

-- An order is a command that was given once. It is written before it is sent: what is found sent and unanswered after its
-- time is unknown, and said to be so.
CREATE TABLE orders (
    user_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    key text COLLATE "C" CHECK (key <> '' AND char_length(key) <= 200),
    body bytea NOT NULL,
    machine_id text COLLATE "C" NOT NULL,
    command_id text COLLATE "C" NOT NULL,
    value double precision,
    state text COLLATE "C" NOT NULL DEFAULT 'sent'
        CHECK (state IN ('sent', 'done', 'delivered', 'refused', 'failed', 'expired', 'unsent', 'unknown')),
    answer text,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    settled_at timestamptz CHECK ((settled_at IS NULL) = (state = 'sent')),
    PRIMARY KEY (user_id, id)
);

CREATE UNIQUE INDEX orders_by_key ON orders (user_id, key) WHERE key IS NOT NULL;
CREATE INDEX orders_of_machine ON orders (user_id, machine_id, created_at);
CREATE INDEX orders_by_age ON orders (user_id, created_at);

DO $$
DECLARE
    parent text;
BEGIN
    FOREACH parent IN ARRAY ARRAY['machines', 'commands', 'metrics', 'readings', 'orders'] LOOP
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
