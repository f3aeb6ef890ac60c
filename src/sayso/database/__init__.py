"""PostgreSQL: the schema and its migrations, the pool, and a transaction that sees only one user's rows."""
