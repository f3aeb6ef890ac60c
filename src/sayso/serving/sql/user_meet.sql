-- What the newest token says about the user; what it leaves out stays as it was.
INSERT INTO users (user_id, name, email, zone, language)
VALUES (%(user_id)s, %(name)s, %(email)s, coalesce(%(zone)s::text, %(default_zone)s), coalesce(%(language)s::text, 'en'))
ON CONFLICT (user_id) DO UPDATE SET
    name = coalesce(%(name)s::text, users.name),
    email = coalesce(%(email)s::text, users.email),
    zone = coalesce(%(zone)s::text, users.zone),
    language = coalesce(%(language)s::text, users.language)
RETURNING name, email, zone, language
