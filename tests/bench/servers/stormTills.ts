import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { BACKLOG_HEADER } from '../../../src/contract/redemptions/sync.ts'
import { backoffMs } from '../../../src/offline/backoff.ts'
import { KeptConnections } from '../load/KeptConnections.ts'
import { rawRequest, syncRequest } from '../load/requests.ts'

export interface StormTills {
  url: string
  /** Addresses of this machine. With one for all, the system looks for a free port for seconds, and no other process gets far. */
  addresses: string[]
  /** The first of their vouchers. */
  from: number
  tills: number
  rows: number
  /** Each begins within so many milliseconds. */
  within: number
}

export interface Storm {
  requests: number
  /** Seconds from the beginning until each till had all its receipts. */
  waits: number[]
}

/** What a till has of `rows` vouchers from the one with this number on, in one call for which nobody waits. */
export const backlogOf = (host: string, first: number, rows: number): string =>
  syncRequest(
    host,
    Array.from({ length: rows }, (_, n) => first + n),
    { [BACKLOG_HEADER]: '1' },
  )

/** As a device does it: all that waits together, and again when the server says so. */
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
    // As a queue wakes on return (src/offline/queue.ts).
    await sleep(backoffMs(1))
    let [attempts, isSilent] = [0, false]
    for (;;) {
      storm.requests += 1
      const answer = await connections.answerTo(request)
      if (receiptsIn(answer) === rows) break
      // Silences say nothing about a server that answers after them (src/offline/queue.ts).
      const wasSilent = isSilent
      isSilent = !answer.startsWith('HTTP/')
      attempts = wasSilent && !isSilent ? 1 : attempts + 1
      await sleep(backoffMs(attempts, { retryAfterMs: retryAfterMs(answer), isTurn: !isSilent }))
    }
    storm.waits.push((performance.now() - started) / 1_000)
  }
  await Promise.all(Array.from({ length: tills }, till))
  connections.end()
  return storm
}

const receiptsIn = (answer: string) => answer.match(/"state":"redeemed"/g)?.length ?? 0

const retryAfterMs = (answer: string) => Number(/^retry-after: (\d+)/im.exec(answer)?.[1] ?? 0) * 1_000

// A process of its own: thousands of connections that are opened in one second would keep those waiting who are measured beside.
process.once('message', (given: StormTills) => {
  void uploadAll(given).then((storm) => process.send!(storm, () => process.disconnect()))
})
process.send?.('ready')
