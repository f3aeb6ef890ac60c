-- The plans of what follows depend on no value: made once for a connection, not anew for every turn. PostgreSQL itself
-- would plan anew, since it takes a plan over all partitions for dearer than it is.
SELECT set_config('plan_cache_mode', 'force_generic_plan', true)
