UPDATE grants SET revoked_at = coalesce(revoked_at, now()) WHERE user_id = %(user_id)s AND id = %(id)s
