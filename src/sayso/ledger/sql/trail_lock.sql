-- One turn of a user at a time: the transaction that locks the end of the trail writes it.
SELECT number, hash FROM trails WHERE user_id = %(user_id)s FOR UPDATE
