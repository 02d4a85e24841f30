#!/usr/bin/env bash
# PgBouncer gives new clients the time zone that PostgreSQL had when its pool began, even on a new connection.
#
# Guess: after `ALTER ROLE … SET timezone` a client whose connection is opened anew gets the new time zone, as without PgBouncer.
# Seen: PgBouncer 1.18.0 (Debian 12) in session mode, PostgreSQL 15: the second of two clients at once, whose connection to PostgreSQL is
#   new, has the old time zone. pg_settings says that the connection began with the new one, so PgBouncer has set it back.
# Why it matters here: a server refuses connections without UTC (server/db/engine/ResilientPool.ts). An operator who sets UTC in PostgreSQL
#   must restart PgBouncer too; and one who sets something else is noticed only then.
set -euo pipefail
folder=$(mktemp -d)
cd "$folder"
export PATH="$PATH:/usr/sbin:/usr/lib/postgresql/15/bin"
command -v pgbouncer > /dev/null || apt-get install -qq -y --no-install-recommends pgbouncer postgresql-15 > /dev/null
pgbouncer --version | head -1
chown nobody "$folder"
# Neither of the two runs as root.
as_nobody=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
"${as_nobody[@]}" initdb -D data -U postgres -A trust --no-sync > /dev/null
"${as_nobody[@]}" postgres -D data -p 54391 -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c timezone=UTC 2> postgres.log &
database=$!
cat > pgbouncer.ini <<'INI'
[databases]
postgres = host=127.0.0.1 port=54391
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = 54392
unix_socket_dir =
auth_type = trust
auth_file = users
pool_mode = session
INI
echo '"postgres" ""' > users
"${as_nobody[@]}" pgbouncer pgbouncer.ini 2> pgbouncer.log &
pooler=$!
trap 'kill $pooler; kill -QUIT $database; wait; rm -rf "$folder"' EXIT
until pg_isready -q -h 127.0.0.1 -p 54391 && pg_isready -q -h 127.0.0.1 -p 54392; do sleep 0.2; done
ask() { psql -XAtq -h 127.0.0.1 -U postgres -p "$@"; }
ask 54392 -c "SHOW timezone" > /dev/null
ask 54391 -c "ALTER ROLE postgres SET timezone = 'Asia/Singapore'"
# The first client holds the old connection, so the second one gets a new one.
ask 54392 -c "SELECT pg_sleep(3)" > /dev/null &
sleep 1
seen=$(ask 54392 -c "SELECT setting || ', began with ' || reset_val FROM pg_settings WHERE name = 'TimeZone'")
wait $!
direct=$(ask 54391 -c "SHOW timezone")
echo "through PgBouncer: $seen; directly: $direct"
if [ "$seen, $direct" != "UTC, began with Asia/Singapore, Asia/Singapore" ]; then
  echo "This is not what was seen."
  exit 1
fi
