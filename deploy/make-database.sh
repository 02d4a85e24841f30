#!/bin/sh
# The image of PostgreSQL runs this once, on an empty volume. The portal's login owns the database, but is not a superuser and
# cannot create roles. So this script also makes the second role, which runs the calls of merchants (docs/decisions/0040).
set -eu
: "${PORTAL_PASSWORD:?the password of the portal\'s login}"

psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
\getenv password PORTAL_PASSWORD
CREATE ROLE portal LOGIN PASSWORD :'password';
CREATE ROLE portal_tenant NOLOGIN;
GRANT portal_tenant TO portal;
CREATE DATABASE portal OWNER portal;
REVOKE ALL ON DATABASE portal FROM PUBLIC;
SQL
