import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { Program } from '../../cluster/Program.ts'
import { DEBIAN_POSTGRES } from './debianPostgres.ts'
import type { Postgres } from './postgres.ts'

const STANDBY = 'standby'

export type Standby = Awaited<ReturnType<typeof addStandby>>

/**
 * Makes the commits of a PostgreSQL 15 wait for a synchronous standby. It is there at first, and can leave and come back. It only receives the WAL
 * (pg_receivewal): a commit waits for no more than that.
 */
export async function addStandby(postgres: Postgres) {
  const url = postgres.url('postgres', 'postgres')
  const folder = mkdtempSync(join(tmpdir(), 'portal-standby-'))
  const admin = new Client({ connectionString: url })
  await admin.connect()
  const at = new URL(url)
  at.searchParams.set('application_name', STANDBY)
  const command = [join(DEBIAN_POSTGRES, 'pg_receivewal'), '-D', folder, '--synchronous', '-d', at.href]
  const receiver = new Program({ name: 'pg_receivewal', command, log: join(folder, 'log') })
  const count = async (what: string) =>
    (await admin.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${what}`)).rows[0]!.count
  const waitFor = (names: string) => postgres.configure({ synchronous_standby_names: names })
  const waiting = `pg_stat_activity WHERE wait_event = 'SyncRep'`
  const standby = {
    /** Resolves when the primary counts it as a standby that commits wait for. */
    async come() {
      if (receiver.isRunning()) return
      receiver.start()
      while ((await count(`pg_stat_replication WHERE sync_state = 'sync'`)) === 0)
        await admin.query('SELECT pg_sleep(0.02)')
    },
    leave: () => receiver.end('SIGINT'),
    waiting: () => count(waiting),
    /** Breaks off every waiting commit, as an operator or a restart does. Returns their number. */
    async cancelWaitingCommits() {
      return (await admin.query(`SELECT pg_cancel_backend(pid) FROM ${waiting}`)).rowCount ?? 0
    },
    async remove() {
      await waitFor('')
      await standby.leave()
      await admin.end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await waitFor(STANDBY)
  await standby.come()
  return standby
}
