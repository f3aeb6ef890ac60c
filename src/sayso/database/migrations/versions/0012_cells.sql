-- A cell is a complete database with some of the users. `lives_in` names the cell that a user moved to; it is null for a
-- user who lives here, and empty while the rows of a user arrive. The setting `sayso.home` of a database names the cell of
-- users whom the database does not know; without it they begin here.
--
-- The column may be null and has no default, so no row is rewritten. The release before this one neither reads nor writes
-- it: move nobody while that release runs.

ALTER TABLE users ADD COLUMN lives_in text COLLATE "C" CHECK (lives_in ~ '^[a-z0-9_]{0,32}$');

-- Runs at the start of every transaction of a user. A move of the user takes the same lock exclusively: it waits for the
-- user's transactions, and later transactions wait for the move.
CREATE FUNCTION here(person text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    cell text;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended(person, 12));
    SELECT lives_in INTO cell FROM sayso.users WHERE user_id = person;
    IF NOT FOUND AND person NOT LIKE 'sayso:%' THEN
        cell := nullif(current_setting('sayso.home', true), '');
    END IF;
    IF cell IS NOT NULL THEN
        RAISE EXCEPTION 'this user lives in another cell' USING ERRCODE = 'SY001', DETAIL = cell;
    END IF;
END
$$;
