SELECT id, sealed FROM grants
WHERE user_id = %(user_id)s AND revoked_at IS NULL AND (until IS NULL OR until > now())
ORDER BY made_at
