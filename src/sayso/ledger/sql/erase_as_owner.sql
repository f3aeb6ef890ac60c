-- The owner of the schema, still held to this user's rows: the policies hold for the owner as well. The triggers of the
-- jobs' tables find what they need by the search path.
SELECT
    set_config('role', 'sayso_owner', true),
    set_config('search_path', 'sayso, sayso_jobs, public', true),
    set_config('statement_timeout', '0', true)
