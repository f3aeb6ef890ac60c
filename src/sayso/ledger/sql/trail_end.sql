-- The end of the chain, null where it is not kept, and the last entry that a turn tells of: cutting off both ends together
-- would need both.
SELECT
    (SELECT number FROM trails WHERE user_id = %(user_id)s),
    (SELECT hash FROM trails WHERE user_id = %(user_id)s),
    (SELECT coalesce(max(trail_number), 0) FROM turns WHERE user_id = %(user_id)s)
