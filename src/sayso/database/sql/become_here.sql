-- The beginning of a transaction of a user who lives here: the rights of the application, the rows of one user, and an error
-- that names the cell of a user who lives elsewhere. The last function runs with the role that the first one sets.
SELECT
    set_config('role', 'sayso_app', true),
    set_config('search_path', 'sayso, public', true),
    set_config('app.user_id', %(user_id)s, true),
    sayso.here(%(user_id)s)
