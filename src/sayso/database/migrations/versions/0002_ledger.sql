-- Conversations: turns, cards, preferences, what can be taken back, and the trail.
--
-- Keys and policies as for tasks. The trail can be added to and read, and nothing else, by whoever works on it: its rows
-- are chained by their hashes, for each user apart, and `trails` keeps the end of the chain.

CREATE TABLE conversations (
    user_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, id)
);

CREATE TABLE turns (
    user_id text COLLATE "C" NOT NULL,
    conversation_id uuid NOT NULL,
    number integer NOT NULL,
    id uuid NOT NULL,
    -- the sender's own name for the message: sent again, it is the same one
    client_message_id text COLLATE "C" NOT NULL CHECK (client_message_id <> '' AND char_length(client_message_id) <= 200),
    message text NOT NULL,
    -- a turn that waits for a model is thinking; whoever finishes it must hold its fence
    state text COLLATE "C" NOT NULL CHECK (state IN ('thinking', 'done')),
    fence integer NOT NULL DEFAULT 0,
    lease_until timestamptz,
    plan text CHECK ((plan IS NOT NULL) = (state = 'thinking')),
    lang text,
    reply text,
    shown text[] NOT NULL DEFAULT '{}',
    asked text,
    answer text CHECK ((answer IS NOT NULL) = (state = 'done')),
    trail_number bigint NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, conversation_id, number),
    UNIQUE (user_id, conversation_id, client_message_id),
    FOREIGN KEY (user_id, conversation_id) REFERENCES conversations (user_id, id) ON DELETE CASCADE
);

CREATE INDEX turns_thinking ON turns (user_id, conversation_id) WHERE state = 'thinking';

CREATE TABLE cards (
    user_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    conversation_id uuid NOT NULL,
    turn_number integer NOT NULL,
    tool text NOT NULL,
    definition bytea NOT NULL,
    asked text NOT NULL,
    digest text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL DEFAULT 'pending'
        CHECK (state IN ('pending', 'done', 'failed', 'stale', 'expired', 'declined', 'superseded')),
    expires_at timestamptz NOT NULL,
    settled_at timestamptz CHECK ((settled_at IS NULL) = (state = 'pending')),
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, conversation_id) REFERENCES conversations (user_id, id) ON DELETE CASCADE
);

CREATE INDEX cards_pending ON cards (user_id, conversation_id) WHERE state = 'pending';

CREATE TABLE preferences (
    user_id text COLLATE "C" NOT NULL,
    chose text COLLATE "C" NOT NULL,
    said text COLLATE "C" NOT NULL,
    times integer NOT NULL DEFAULT 1,
    used_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, chose, said)
);

CREATE INDEX preferences_by_use ON preferences (user_id, used_at);

CREATE TABLE backs (
    user_id text COLLATE "C" NOT NULL,
    number bigint NOT NULL,  -- that of the call in the trail
    back text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, number)
);

CREATE TABLE trail (
    user_id text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    at timestamptz NOT NULL,
    kind text COLLATE "C" NOT NULL,
    conversation_id uuid,
    -- what it says can be erased and the chain still holds: the chain goes over its salted hash
    body text,
    salt bytea,
    body_hash bytea NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (user_id, number)
);

CREATE TABLE trails (
    user_id text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (user_id)
);

DO $$
DECLARE
    parent text;
BEGIN
    FOREACH parent IN ARRAY ARRAY['conversations', 'turns', 'cards', 'preferences', 'backs', 'trail', 'trails'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', parent);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', parent);
        EXECUTE format(
            'CREATE POLICY %I ON %I USING (user_id = nullif(current_setting(''app.user_id'', true), ''''))'
            ' WITH CHECK (user_id = nullif(current_setting(''app.user_id'', true), ''''))',
            parent || '_of_the_user', parent
        );
        EXECUTE format(
            'GRANT %s ON %I TO sayso_app',
            CASE parent
                WHEN 'trail' THEN 'SELECT, INSERT'
                WHEN 'trails' THEN 'SELECT, INSERT, UPDATE'
                ELSE 'SELECT, INSERT, UPDATE, DELETE'
            END,
            parent
        );
    END LOOP;
END
$$;
