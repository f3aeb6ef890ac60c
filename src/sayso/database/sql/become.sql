-- The beginning of a transaction of any user: the rights of the application, and the rows of one user.
SELECT
    set_config('role', 'sayso_app', true),
    set_config('search_path', 'sayso, public', true),
    set_config('app.user_id', %(user_id)s, true)
