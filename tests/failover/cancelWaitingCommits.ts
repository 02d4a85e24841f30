import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

/** Selects waiting commits of redemptions and holds, but not the probes of a server. */
const WAITING = `FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query NOT LIKE '%pg_logical_emit_message%'`

/**
 * Cancels commits that wait for a standby, as an operator might who wants to "get rid of them": then they are visible on this machine
 * and on no other. Returns their number.
 */
export async function cancelWaitingCommits(url: string, lose: () => Promise<unknown>): Promise<number> {
  const admin = new Client({ connectionString: url })
  admin.on('error', () => undefined)
  await admin.connect()
  try {
    await lose()
    let count = 0
    while (count === 0) {
      const { rowCount } = await admin.query(`SELECT pg_cancel_backend(pid) ${WAITING}`)
      count = rowCount ?? 0
      await sleep(20)
    }
    return count
  } finally {
    await admin.end()
  }
}
