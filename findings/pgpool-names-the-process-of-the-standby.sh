#!/usr/bin/env bash
# Pgpool names its client a process of the standby, although the primary answers every query.
#
# Guess: the process id that a client gets for its cancel requests (BackendKeyData) is that of the process that answers `pg_backend_pid()`,
#   unless a pooler shares sessions. So the two would tell a pooler in transaction mode from one that keeps sessions.
# Seen: Pgpool-II 4.3.5 (Debian 12) with load_balance_mode = off before PostgreSQL 15 and its standby: the id is that of a process of the
#   standby. A cancel request ends the query on the primary all the same.
# Why it matters here: server/db/engine/refusePooler.ts must take Pgpool, which keeps sessions. So it compares what two sessions answer.
set -euo pipefail
folder=$(mktemp -d)
cd "$folder"
export PATH="$PATH:/usr/sbin:/usr/lib/postgresql/15/bin"
command -v pgpool > /dev/null || apt-get install -qq -y --no-install-recommends pgpool2 postgresql-15 > /dev/null
npm init -y > /dev/null
npm install --silent --no-audit --no-fund pg@8.23.1
pgpool --version 2>&1
# PostgreSQL does not run as root.
as_nobody=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
chown nobody "$folder"
"${as_nobody[@]}" initdb -D one -U postgres -A trust --no-sync > /dev/null
settings=(-c listen_addresses=127.0.0.1 -c unix_socket_directories=)
"${as_nobody[@]}" postgres -D one -p 54393 "${settings[@]}" 2> one.log &
primary=$!
until pg_isready -q -h 127.0.0.1 -p 54393; do sleep 0.2; done
"${as_nobody[@]}" pg_basebackup -D two -d 'host=127.0.0.1 port=54393 user=postgres' --write-recovery-conf --checkpoint=fast --no-sync
"${as_nobody[@]}" postgres -D two -p 54394 "${settings[@]}" 2> two.log &
standby=$!
cat > pgpool.conf <<CONF
backend_clustering_mode = 'streaming_replication'
listen_addresses = '127.0.0.1'
port = 54395
socket_dir = '$folder'
pcp_listen_addresses = ''
pcp_socket_dir = '$folder'
pid_file_name = '$folder/pid'
logdir = '$folder'
sr_check_user = 'postgres'
load_balance_mode = off
backend_hostname0 = '127.0.0.1'
backend_port0 = 54393
backend_hostname1 = '127.0.0.1'
backend_port1 = 54394
CONF
touch pcp.conf pool_hba.conf
"${as_nobody[@]}" pgpool -n -f pgpool.conf -F pcp.conf -a pool_hba.conf 2> pgpool.log &
pooler=$!
trap 'kill -INT $pooler; kill -QUIT $primary $standby; wait; rm -rf "$folder"' EXIT
until pg_isready -q -h 127.0.0.1 -p 54394 && psql -qX -h 127.0.0.1 -p 54395 -U postgres -c 'SELECT' > /dev/null 2>&1; do sleep 0.2; done
cat > look.mjs <<'JS'
import pg from 'pg'

const connect = async (port) => {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
  await client.connect()
  return client
}
const [through, standby] = [await connect(54395), await connect(54394)]
const key = through.processID
const { rows } = await through.query('SELECT pg_backend_pid() AS pid, pg_is_in_recovery() AS "isStandby"')
const found = await standby.query('SELECT FROM pg_stat_activity WHERE pid = $1', [key])
const slow = through.query('SELECT pg_sleep(20)').then(
  () => 'not cancelled',
  ({ code }) => code,
)
setTimeout(() => {
  const other = new pg.Client({ host: '127.0.0.1', port: 54395 })
  other.connection.on('error', () => undefined)
  other.cancel(through, through._getActiveQuery?.() ?? through.activeQuery)
}, 500)
const isOther = key !== rows[0].pid
console.log(`another process: ${isOther}, on the standby: ${found.rowCount === 1}, answered by it: ${rows[0].isStandby}, cancelled: ${await slow}`)
await Promise.all([through.end(), standby.end()])
const isAsSeen = isOther && found.rowCount === 1 && !rows[0].isStandby && (await slow) === '57014'
if (!isAsSeen) console.log('This is not what was seen.')
process.exit(isAsSeen ? 0 : 1)
JS
node look.mjs
