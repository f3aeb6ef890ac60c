SELECT relname::text
FROM pg_class
WHERE relnamespace = 'sayso'::regnamespace AND relkind = 'p' AND NOT relispartition
ORDER BY relname
