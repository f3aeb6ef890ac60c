-- One turn of a user at a time: the transaction that locks the end of the trail writes it. The plans of the statements
-- below depend on no value: they are made once per connection, not for every turn.
SELECT
    number,
    hash,
    set_config('plan_cache_mode', 'force_generic_plan', true)
FROM trails
WHERE user_id = %(user_id)s
FOR UPDATE
