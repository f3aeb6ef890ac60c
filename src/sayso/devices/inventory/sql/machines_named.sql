-- What machines are called, to find the one that is meant.
SELECT m.id, m.name, m.serial, m.description, m.location, m.aliases FROM machines AS m
WHERE m.user_id = %(user_id)s
ORDER BY m.name, m.id
