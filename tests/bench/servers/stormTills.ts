import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { BACKLOG_HEADER } from '../../../src/contract/redemptions/sync.ts'
import { backoffMs } from '../../../src/offline/backoff.ts'
import { KeptConnections } from '../load/KeptConnections.ts'
import { rawRequest, syncRequest } from '../load/requests.ts'

export interface StormTills {
  url: string
  /** Local addresses to connect from. With a single one the system searches for a free port for seconds, which blocks other processes. */
  addresses: string[]
  /** Number of the first of their vouchers. */
  from: number
  tills: number
  rows: number
  /** Each till begins at a random moment within so many milliseconds. */
  within: number
}

export interface Storm {
  requests: number
  /** Seconds from the beginning until each till had all its receipts. */
  waits: number[]
}

/** One request with the `rows` vouchers of a till from number `first` on; it says that no customer waits for it. */
export const backlogOf = (host: string, first: number, rows: number): string =>
  syncRequest(
    host,
    Array.from({ length: rows }, (_, n) => first + n),
    { [BACKLOG_HEADER]: '1' },
  )

/** Uploads like a device: all waiting rows together, and again when the server says so. */
async function uploadAll({ url, addresses, from, tills, rows, within }: StormTills): Promise<Storm> {
  const { host, hostname, port } = new URL(url)
  const connections = new KeptConnections({ host: hostname, port: Number(port), from: addresses })
  const started = performance.now()
  const storm: Storm = { requests: 0, waits: [] }
  const probe = rawRequest({ host, method: 'GET', path: `/api/health?nonce=${randomUUID()}` })
  const till = async (_: unknown, n: number) => {
    const request = backlogOf(host, from + n * rows, rows)
    await sleep(Math.random() * within)
    storm.requests += 1
    await connections.answerTo(probe)
    // Like the queue after the connection returns (src/offline/queue.ts).
    await sleep(backoffMs(1))
    let [attempts, isSilent] = [0, false]
    for (;;) {
      storm.requests += 1
      const answer = await connections.answerTo(request)
      if (receiptsIn(answer) === rows) break
      // Earlier silence says nothing about a server that answers now (src/offline/queue.ts).
      const wasSilent = isSilent
      isSilent = !answer.startsWith('HTTP/')
      attempts = wasSilent && !isSilent ? 1 : attempts + 1
      await sleep(backoffMs(attempts, { retryAfterMs: retryAfterMs(answer), isServerScheduled: !isSilent }))
    }
    storm.waits.push((performance.now() - started) / 1_000)
  }
  await Promise.all(Array.from({ length: tills }, till))
  connections.end()
  return storm
}

const receiptsIn = (answer: string) => answer.match(/"state":"redeemed"/g)?.length ?? 0

const retryAfterMs = (answer: string) => Number(/^retry-after: (\d+)/im.exec(answer)?.[1] ?? 0) * 1_000

// Runs in its own process: opening thousands of connections in one second would delay the counters that are measured meanwhile.
process.once('message', (given: StormTills) => {
  void uploadAll(given).then((storm) => process.send!(storm, () => process.disconnect()))
})
process.send?.('ready')
