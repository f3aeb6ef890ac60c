-- The trail of erasures is written as any other: by the application's role, which can add to it and nothing else.
SELECT
    set_config('role', 'sayso_app', true),
    set_config('search_path', 'sayso, public', true),
    set_config('app.user_id', %(user_id)s, true)
