import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

/** Commits of redemptions and holds; the look of a server is left alone. */
const WAITING = `FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query NOT LIKE '%pg_logical_emit_message%'`

/**
 * Cancels commits that wait for a standby, as an operator does who wants to "get rid of them": they are visible on this machine then,
 * and on no other. Answers how many there were.
 */
export async function breakOffWaits(url: string, lose: () => Promise<unknown>): Promise<number> {
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
