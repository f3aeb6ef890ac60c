-- Those that are described no more.
DELETE FROM metrics
WHERE user_id = %(user_id)s AND machine_id = ANY(%(ids)s::text[])
    AND (machine_id, name) NOT IN (SELECT * FROM unnest(%(machine_ids)s::text[], %(names)s::text[]))
