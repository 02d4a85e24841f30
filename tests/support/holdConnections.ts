import { setTimeout as sleep } from 'node:timers/promises'
import { Client, escapeIdentifier } from 'pg'

const WAITING = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
const LONGEST_MS = 3_000

/**
 * Makes every question to `url`'s database about `table` slow, and asks `count` of them. When as many connections wait, it
 * answers what lets them go on; the answers to the questions come with that.
 * @throws Error when fewer connections than that come to wait.
 */
export async function holdConnections<T>(
  url: string,
  count: number,
  ask: () => Promise<T>,
  table = 'session',
): Promise<() => Promise<T[]>> {
  const [locking, watching] = [new Client({ connectionString: url }), new Client({ connectionString: url })]
  await Promise.all([locking.connect(), watching.connect()])
  await locking.query(`BEGIN; LOCK TABLE ${escapeIdentifier(table)} IN ACCESS EXCLUSIVE MODE`)
  const answers = Promise.all(Array.from({ length: count }, ask))
  const release = async () => {
    await Promise.all([locking.end(), watching.end()])
    return answers
  }
  const deadline = Date.now() + LONGEST_MS
  for (;;) {
    const waiting = (await watching.query<{ count: number }>(WAITING)).rows[0]!.count
    if (waiting === count) return release
    if (Date.now() > deadline) {
      await release()
      throw new Error(`${waiting} connections wait, not ${count}`)
    }
    await sleep(10)
  }
}
