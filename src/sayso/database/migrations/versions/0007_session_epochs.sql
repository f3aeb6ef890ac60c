-- A number of each user that the sessions of the page carry: raising it ends all that carry a smaller one.
--
-- The default is constant, so no row is rewritten. The release before this one neither reads nor writes it.

ALTER TABLE users ADD COLUMN session_epoch integer NOT NULL DEFAULT 0;
