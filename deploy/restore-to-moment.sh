#!/bin/sh
# Restores the database as it was at one moment, from a base backup and archived WAL (point-in-time recovery), into its own folder.
# Ends with the ledger check, like every restore. It changes only that folder: a drill is the same command, and its result
# is removed afterwards. See docs/OPERATIONS.md, "Backup and restore".
#
#   restore-to-moment.sh BASE ARCHIVE '2026-11-25 14:03:00+08' FOLDER
#
# Run it as the system user postgres, on a machine with the portal and the PostgreSQL version of the backup. The
# environment is the server's own, plus: PGDATABASE, the database (portal); PGUSER, a superuser (postgres); PGBIN, the folder of
# PostgreSQL's programs.
set -eu

usage() {
  sed -n '2,/^set/{/^#/s/^#[ ]\{0,1\}//p;}' "$0" >&2
  exit 2
}
[ $# -eq 4 ] || usage
base=$1 archive=$2 moment=$3 folder=$4
[ -e "$base/PG_VERSION" ] || { echo "$base is no base backup in the plain format." >&2; exit 2; }
# A link to a tablespace or a WAL folder may lead to the live one, and recovery would write to it.
[ -z "$(find "$base" -type l)" ] || { echo "$base has links: replace them by copies of what they lead to." >&2; exit 2; }
[ ! -e "$folder" ] || { echo "$folder exists already." >&2; exit 2; }
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
# Debian keeps the configuration files elsewhere. Only this user can connect, by a socket in a folder that no other user can enter.
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
  echo "PostgreSQL did not reach $moment. The end of its log:" >&2
  # The reason comes before the lines of the shutdown, and each try of pg_isready leaves a line.
  tail -n 20 "$folder/log" >&2
  exit 1
}

# Without a hot standby the server accepts no connection before the moment is reached, but pg_ctl returns earlier. Archiving is off:
# new WAL would be mixed with that of the live server.
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
# Skips the numbers of receipts that were given after that moment.
provider skip-receipts
provider check-ledger
# Puts the old settings back: the recovery settings would lead the next recovery to the same moment.
mv "$folder/settings" "$settings"
echo "$database as of $moment is in $data, after $(($(date +%s) - started)) seconds."
