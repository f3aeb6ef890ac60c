-- The beginning of every transaction: no rights but the application's, and one user's rows alone.
SELECT
    set_config('role', 'sayso_app', true),
    set_config('search_path', 'sayso, public', true),
    set_config('app.user_id', %(user_id)s, true)
