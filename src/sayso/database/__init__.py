"""PostgreSQL: the schema and its migrations, the pool, and a transaction that sees one user's rows alone."""
