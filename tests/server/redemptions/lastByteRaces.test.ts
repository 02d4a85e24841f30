import { once } from 'node:events'
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ledgerCheck } from '../../../server/db/redemptions/ledger.ts'
import type { Ask, Reply } from '../../support/api/portalClient.ts'
import { LONG_RUN, outcomeOf, printOutcomes } from '../../support/redemptions/CountingTill.ts'
import { seedTills } from '../../support/redemptions/seedTills.ts'
import { newHoldKey, redeemHeld, testTill, verifyAt, type TestTill } from '../../support/redemptions/testTill.ts'
import { serverEnvironment, type ServerEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'

// The server itself, by a hundred sockets that finish their requests together (rule 1.1). A release wants 200 rounds.
const ROUNDS = LONG_RUN ? 200 : 3

const AT_ONCE = 100

const CASHIERS = 10

let at: ServerEnvironment

let server: ServerProcess

let line: ReturnType<typeof lastByteClient>

const tills: TestTill[] = []

const serials: string[] = []

beforeAll(async () => {
  at = await serverEnvironment()
  const furnished = await seedTills(at, CASHIERS, 2 * ROUNDS)
  serials.push(...furnished.serials)
  server = await startServer(at.env)
  const ask: Ask = server.ask
  for (const cashier of furnished.cashiers) tills.push(await testTill(ask, cashier))
  line = lastByteClient(server, AT_ONCE)
}, 180_000)

afterAll(async () => {
  line?.close()
  await server?.kill()
  await at?.remove()
})

/** A hundred calls, whole at the same moment. */
async function together<T>(call: (n: number) => Promise<T>): Promise<T[]> {
  const replies = Array.from({ length: AT_ONCE }, (_, n) => call(n))
  await line.release(AT_ONCE)
  return Promise.all(replies)
}

const histogram = new Map<string, number>()

function count(replies: readonly Reply[]): Record<string, number> {
  const counted: Record<string, number> = {}
  for (const outcome of replies.map(outcomeOf)) {
    counted[outcome] = (counted[outcome] ?? 0) + 1
    histogram.set(outcome, (histogram.get(outcome) ?? 0) + 1)
  }
  return counted
}

function print(what: string) {
  printOutcomes(histogram, what)
  histogram.clear()
}

describe('a hundred sockets that finish together', () => {
  it(
    'VCH-01: with a hundred keys: one holds the voucher, and the others are told that it is held',
    async () => {
      for (const serial of serials.slice(0, ROUNDS)) {
        const keys = Array.from({ length: AT_ONCE }, newHoldKey)
        const replies = await together((n) => {
          const till = tills[n % CASHIERS]!
          return verifyAt(line.ask, till.token, till.id, serial, keys[n]!)
        })
        const { '200': won, '409 VOUCHER_HELD': held = 0, '409 VOUCHER_BUSY': busy = 0, ...others } = count(replies)
        expect({ won, lost: held + busy, others }).toEqual({ won: 1, lost: AT_ONCE - 1, others: {} })
        await redeemHeld(server.ask, keys[replies.findIndex(({ status }) => status === 200)]!)
      }
      print(`${ROUNDS} rounds of ${AT_ONCE} keys on one voucher`)
    },
    60_000 + ROUNDS * 5_000,
  )

  it(
    'VCH-04: with one key: every answer is the one receipt',
    async () => {
      for (const serial of serials.slice(ROUNDS)) {
        const key = await tills[0]!.hold(serial)
        const told = await together(() => redeemHeld(line.ask, key))
        expect(told.filter((one) => one.state === 'redeemed' && !one.replayed)).toHaveLength(1)
        const receipts = told.map((one) => one.state === 'redeemed' && JSON.stringify(one.receipt))
        expect(new Set(receipts).size).toBe(1)
      }
    },
    60_000 + ROUNDS * 5_000,
  )

  it('VCH-13: leave a ledger that has each voucher once, and balances', async () => {
    await server.stop()
    const database = await at.open()
    const check = await ledgerCheck(database)
    await database.close()
    expect(check).toMatchObject({ balanced: true, ledger_rows: 2 * ROUNDS })
  })
})

interface Waiting {
  sent: ClientRequest
  lastByte: Buffer
}

/**
 * Requests that the server has but for their last byte, each on a socket of its own, until `release`: then the last bytes go out
 * in one turn, and the requests are whole within the same millisecond or two, however long each took to get there.
 */
function lastByteClient({ host, port }: Pick<ServerProcess, 'host' | 'port'>, sockets: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets, noDelay: true })
  const waiting: Waiting[] = []

  const ask: Ask = async (path, { method, headers, body } = {}) => {
    const bytes = Buffer.from(body as string)
    const sent = request({
      agent,
      host,
      port,
      path,
      ...(method && { method }),
      headers: { ...(headers as Record<string, string>), 'content-length': bytes.length },
    })
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>
    sent.write(bytes.subarray(0, -1), () => waiting.push({ sent, lastByte: bytes.subarray(-1) }))
    const [answer] = await answered
    return new Response(new Uint8Array(await buffer(answer)), {
      status: answer.statusCode ?? 0,
      headers: answer.headers as Record<string, string>,
    })
  }

  return {
    ask,
    /** Once `count` requests have everything but their last byte with the system. */
    async release(count: number): Promise<void> {
      while (waiting.length < count) await sleep(1)
      for (const { sent, lastByte } of waiting.splice(0)) sent.end(lastByte)
    },
    close: () => agent.destroy(),
  }
}
