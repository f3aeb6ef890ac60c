SELECT policyname, permissive, cmd, roles::text, qual, with_check
FROM pg_policies
WHERE schemaname = 'sayso' AND tablename = %(table)s
