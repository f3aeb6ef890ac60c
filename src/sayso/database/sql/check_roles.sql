SELECT
    rolname,
    rolcanlogin,
    rolsuper,
    rolbypassrls,
    rolname = 'sayso_app' AND pg_has_role('sayso_app', 'sayso_owner', 'MEMBER')
FROM pg_roles
WHERE rolname IN ('sayso_owner', 'sayso_app')
ORDER BY rolname
