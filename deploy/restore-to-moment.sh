#!/bin/sh
# The database as it was at one moment, out of a base backup and archived WAL (point-in-time recovery), in a folder of its own.
# Ends with the ledger check, like every restore. It changes nothing but that folder: a drill is the same command, and what it
# makes is removed afterwards. See docs/OPERATIONS.md, "Backup and restore".
#
#   restore-to-moment.sh BASE ARCHIVE '2026-11-25 14:03:00+08' FOLDER
#
# Run it as the system's user postgres, where the portal stands and PostgreSQL of the backup's version is installed. The
# environment is the server's own, and: PGDATABASE, the database (portal); PGUSER, a superuser (postgres); PGBIN, where the
# programs of PostgreSQL are.
set -eu

usage() {
  sed -n '2,/^set/{/^#/s/^#[ ]\{0,1\}//p;}' "$0" >&2
  exit 2
}
[ $# -eq 4 ] || usage
base=$1 archive=$2 moment=$3 folder=$4
[ -e "$base/PG_VERSION" ] || { echo "$base is no base backup in the plain format." >&2; exit 2; }
# A link to a tablespace or a WAL folder may lead to the live ones, which recovery would write to.
[ -z "$(find "$base" -type l)" ] || { echo "$base has links: copy what they lead to into it first." >&2; exit 2; }
[ ! -e "$folder" ] || { echo "$folder is there already." >&2; exit 2; }
bin=${PGBIN:-/usr/lib/postgresql/$(cat "$base/PG_VERSION")/bin}
database=${PGDATABASE:-portal}
portal=$(cd "$(dirname "$0")/.." && pwd)
started=$(date +%s)

mkdir -m 700 "$folder"
archive=$(cd "$archive" && pwd)
folder=$(cd "$folder" && pwd)
data=$folder/data
cp -R "$base" "$data"
chmod 700 "$data"
# Debian keeps them elsewhere. Only this user gets in, and only by a socket in a folder that nobody else can enter.
touch "$data/postgresql.conf"
echo 'local all all trust' >"$folder/pg_hba.conf"
socket=$(mktemp -d)
settings=$data/postgresql.auto.conf
cp "$settings" "$folder/settings"
cat >>"$settings" <<SETTINGS
restore_command = 'cp "$archive/%f" "%p"'
recovery_target_time = '$moment'
recovery_target_action = 'promote'
SETTINGS
touch "$data/recovery.signal"

stop() {
  "$bin/pg_ctl" stop --silent --pgdata "$data" --mode fast 2>/dev/null || true
  rm -rf "$socket"
}
trap stop EXIT

fail() {
  echo "PostgreSQL did not get to $moment. Its last words:" >&2
  # The reason stands before what shuts down, and each try of pg_isready leaves a line of its own.
  tail -n 20 "$folder/log" >&2
  exit 1
}

# Without a hot standby it accepts nobody before the moment is reached, but pg_ctl is content with less. Nothing is archived: it
# would be mixed with what the real one writes.
"$bin/pg_ctl" start --silent --wait --timeout 86400 --pgdata "$data" --log "$folder/log" --options "\
  -c listen_addresses='' -c unix_socket_directories=$socket -c hba_file=$folder/pg_hba.conf \
  -c hot_standby=off -c archive_mode=off -c synchronous_standby_names=''" || fail
until "$bin/pg_isready" --quiet --host "$socket"; do
  "$bin/pg_ctl" status --pgdata "$data" >/dev/null || fail
  sleep 1
done

owner=$("$bin/psql" -XAtq -h "$socket" -U "${PGUSER:-postgres}" -d "$database" \
  -c 'SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database()')
provider() {
  (cd "$portal" && DATABASE_URL="postgres://$owner@localhost/$database?host=$socket" node --import tsx server/provider.ts "$@")
}
# Receipts that were given after that moment keep their numbers to themselves.
provider skip-receipts
provider check-ledger
# What led here would lead the next recovery to the same moment.
mv "$folder/settings" "$settings"
echo "$database as of $moment is in $data, after $(($(date +%s) - started)) seconds."
