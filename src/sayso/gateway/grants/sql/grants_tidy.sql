-- What has ended by itself; what was revoked stays, so that it cannot be added again.
DELETE FROM grants WHERE user_id = %(user_id)s AND revoked_at IS NULL AND until < now() - interval '7 days'
