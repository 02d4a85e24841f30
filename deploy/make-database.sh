#!/bin/sh
# The image of PostgreSQL runs this once, on an empty volume: the portal's database belongs to a login that is no superuser and
# cannot create roles. So the second role, which runs the calls of merchants, is made here (docs/decisions/0040).
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
