SELECT
    rolname,
    rolsuper,
    rolbypassrls,
    pg_has_role(rolname, 'sayso_owner', 'MEMBER'),
    pg_has_role(rolname, 'sayso_app', 'MEMBER')
FROM pg_roles
WHERE rolname = current_user
