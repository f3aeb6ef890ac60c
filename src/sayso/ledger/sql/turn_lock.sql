-- One turn of a user at a time: whoever holds the end of the trail writes it. The plans of what follows depend on no value:
-- they are made once for a connection, not again for every turn.
SELECT
    number,
    hash,
    set_config('plan_cache_mode', 'force_generic_plan', true)
FROM trails
WHERE user_id = %(user_id)s
FOR UPDATE
