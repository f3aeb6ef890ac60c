UPDATE trail
SET body = NULL, salt = NULL
WHERE user_id = %(user_id)s AND number = ANY(%(numbers)s::bigint[]) AND body IS NOT NULL AND kind <> %(receipt)s
RETURNING number
