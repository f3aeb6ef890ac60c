-- Grants of the gateway: a user's yes that covers later calls of a tool. What one covers is in `sealed`, which only a
-- gateway with the key can write; the release before this one does not use the table.

CREATE TABLE grants (
    user_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL CHECK (char_length(id) BETWEEN 1 AND 40),
    -- null: until it is revoked
    until timestamptz,
    sealed bytea NOT NULL,
    uses bigint NOT NULL DEFAULT 0,
    made_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz,
    PRIMARY KEY (user_id, id)
);

DO $$
BEGIN
    ALTER TABLE grants ENABLE ROW LEVEL SECURITY;
    ALTER TABLE grants FORCE ROW LEVEL SECURITY;
    CREATE POLICY grants_of_the_user ON grants
        USING (user_id = nullif(current_setting('app.user_id', true), ''))
        WITH CHECK (user_id = nullif(current_setting('app.user_id', true), ''));
    GRANT SELECT, INSERT, UPDATE, DELETE ON grants TO sayso_app;
END
$$;
