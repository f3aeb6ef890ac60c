-- Two roles, neither of which can log in: one owns the tables, one works on them. Repeating it changes nothing.
DO $$
BEGIN
    CREATE ROLE sayso_owner NOLOGIN NOSUPERUSER NOBYPASSRLS;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;
DO $$
BEGIN
    CREATE ROLE sayso_app NOLOGIN NOSUPERUSER NOBYPASSRLS;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
GRANT sayso_owner, sayso_app TO CURRENT_USER;
CREATE SCHEMA IF NOT EXISTS sayso AUTHORIZATION sayso_owner;
GRANT USAGE ON SCHEMA sayso TO sayso_app;
CREATE SCHEMA IF NOT EXISTS sayso_jobs AUTHORIZATION sayso_owner;
GRANT USAGE ON SCHEMA sayso_jobs TO sayso_app;
