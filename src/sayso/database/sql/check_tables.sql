-- A table, and its partitions if it has any; the last column counts the rights that anybody but the owner has.
SELECT
    c.relname,
    pg_get_userbyid(c.relowner),
    c.relrowsecurity,
    c.relforcerowsecurity,
    c.relispartition,
    (SELECT count(*) FROM aclexplode(c.relacl) AS acl WHERE acl.grantee <> c.relowner)
FROM pg_class AS c
WHERE
    c.oid = to_regclass('sayso.' || %(table)s)
    OR c.oid IN (SELECT relid FROM pg_partition_tree(to_regclass('sayso.' || %(table)s)))
ORDER BY c.relname
