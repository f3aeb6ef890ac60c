-- Run once by the PostgreSQL image, when it makes the database: the role by which the services log in. It can do nothing
-- but become sayso_app, which row security holds to one user at a time. `sayso db migrate` makes the rest.
\set ON_ERROR_STOP on
\set password `cat /run/secrets/login_password`
CREATE ROLE sayso_app NOLOGIN NOSUPERUSER NOBYPASSRLS;
CREATE ROLE sayso_login LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE PASSWORD :'password' IN ROLE sayso_app;
