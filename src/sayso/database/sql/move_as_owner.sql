-- The owner of the schema, held to the rows of one user by the policies; values are written the same way in both databases.
SELECT
    set_config('role', 'sayso_owner', true),
    set_config('search_path', 'sayso, sayso_jobs, public', true),
    set_config('app.user_id', %(user_id)s, true),
    set_config('datestyle', 'ISO, YMD', true),
    set_config('intervalstyle', 'postgres', true),
    set_config('timezone', 'UTC', true),
    set_config('bytea_output', 'hex', true),
    set_config('extra_float_digits', '1', true)
