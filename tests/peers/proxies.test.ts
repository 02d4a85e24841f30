import { once } from 'node:events'
import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../server/db/engine/Database.ts'
import { readWhole } from '../../src/api/download.ts'
import { logIn } from '../support/api/portalClient.ts'
import { makeBranch, makeMerchant, makePosUser, type Merchant } from '../support/database/builders.ts'
import { PROXIES, startProxy, type ProxyName } from '../support/operations/proxies.ts'
import { freePort } from '../support/server/freePort.ts'
import { serverEnvironment, type ServerEnvironment } from '../support/server/serverEnvironment.ts'
import { startServer, type ServerProcess } from '../support/server/serverProcess.ts'

// Runs the portal behind each proxy and ends it in the middle of a report.
const NAMES = Object.keys(PROXIES) as ProxyName[]
const ROWS = 20_000
/** Facts, empty line, column names, end mark. */
const OTHER_LINES = 14
/** An organisation has five readings at a time, and a user two reports. */
const READERS_OF_ONE = 2

let place: ServerEnvironment
let env: Record<string, string>
let port: number
let server: ServerProcess
let proxies: Awaited<ReturnType<typeof startProxy>>[]
const tokens: string[] = []

beforeAll(async () => {
  place = await serverEnvironment()
  port = await freePort()
  env = { ...place.env, TRUST_PROXY: 'on' }
  const database = await place.open()
  const merchants: Merchant[] = []
  for (let n = 0; n * READERS_OF_ONE < NAMES.length; n += 1) merchants.push(await withRedemptions(database, n))
  await database.close()
  server = await startServer(env, port)
  for (const { main } of merchants) tokens.push((await logIn(server.ask, main)).token)
  proxies = await Promise.all(NAMES.map((name) => startProxy(name, port)))
}, 120_000)
afterAll(async () => {
  await Promise.all((proxies ?? []).map((proxy) => proxy.stop()))
  await server?.kill()
  await place?.remove()
})

/** Makes a merchant with 20 MB of redemptions: their branch has a long name. */
async function withRedemptions({ db }: Database, which: number): Promise<Merchant> {
  const made = await makeMerchant(db)
  const branch = await makeBranch(db, made.organisation, { name: 'x'.repeat(1_000) })
  const till = await makePosUser(db, { ...made, branch })
  const number = sql`(${which * ROWS}::int + n)`
  const id = sql`('00000000-0000-7000-8000-' || lpad(${number}::text, 12, '0'))::uuid`
  const at = sql`timestamptz '2026-10-01T00:00:00Z' + interval '1 second' * n`
  const numbers = sql`generate_series(1, ${ROWS}::int) n`
  await db.execute(sql`
    INSERT INTO voucher (id, serial, denomination_cents, expires_on, status, used_at, organisation_id, branch_id)
    SELECT ${id}, '2' || lpad(${number}::text, 12, '0'), 1000, '2099-12-31', 'Used', ${at}, ${made.organisation.id}, ${branch.id}
    FROM ${numbers}`)
  await db.execute(sql`
    INSERT INTO redemption (id, voucher_id, organisation_id, branch_id, pos_user_id, amount_cents, redeemed_at, recorded_at)
    SELECT ${id}, ${id}, ${made.organisation.id}, ${branch.id}, ${till.id}, 1000, ${at}, ${at}
    FROM ${numbers}`)
  return made
}

interface Asked {
  format?: 'csv' | 'xlsx'
  encoding?: 'gzip' | 'identity'
}

/** Asks for the report through a proxy. */
async function report(which: number, { format = 'csv', encoding = 'identity' }: Asked = {}) {
  const { url, isHttp2 } = proxies[which]!
  const path = '/reporting/report/merchant/transaction_report'
  const headers = {
    authorization: `Bearer ${tokens[Math.floor(which / READERS_OF_ONE)]}`,
    'content-type': 'application/json',
    'login-type': 'MERCHANT',
    'accept-encoding': encoding,
  }
  const sent = JSON.stringify({ from: '2026-10-01', to: '2026-10-31', format })
  if (isHttp2) return overHttp2({ url, path, headers, sent })
  return fetch(url + path, { method: 'POST', headers, body: sent })
}

interface Sent {
  url: string
  path: string
  headers: Record<string, string>
  sent: string
}

const sessions: ClientHttp2Session[] = []
afterAll(() => sessions.forEach((session) => session.destroy()))

async function overHttp2({ url, path, headers, sent }: Sent): Promise<Response> {
  const session = connect(url).on('error', () => undefined)
  sessions.push(session)
  const call = session.request({ ...headers, ':method': 'POST', ':path': path })
  call.end(sent)
  const [answered] = (await once(call, 'response')) as [IncomingHttpHeaders]
  const body = Readable.toWeb(call) as ReadableStream<Uint8Array<ArrayBuffer>>
  const heads = Object.entries(answered).filter(([name]) => !name.startsWith(':')) as [string, string][]
  const isPacked = answered['content-encoding'] === 'gzip'
  return new Response(isPacked ? body.pipeThrough(new DecompressionStream('gzip')) : body, {
    status: Number(answered[':status']),
    headers: heads,
  })
}

interface Reading {
  status: number
  /** `whole` is what the portal takes it for. */
  outcome: 'whole' | 'CUT_OFF'
  /** The connection said nothing of a break. */
  endedCleanly: boolean
  lines: number
}

/** Reads a file as the portal does, with a pause after each piece while the server runs. */
async function read(response: Response, pace = { pauseMs: 0 }): Promise<Reading> {
  let [endedCleanly, lines] = [false, 0]
  const watched = response.body!.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      async transform(piece, controller) {
        for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1
        controller.enqueue(piece)
        if (pace.pauseMs > 0) await sleep(pace.pauseMs)
      },
      flush: () => void (endedCleanly = true),
    }),
  )
  const outcome = await readWhole(new Response(watched, response)).then(
    () => 'whole' as const,
    ({ code }: { code: 'CUT_OFF' }) => code,
  )
  return { status: response.status, outcome, endedCleanly, lines }
}

/** Reads all reports slowly at once, and ends the server in the middle. */
async function readAllWhile(endServer: () => Promise<unknown>): Promise<(Reading | 'no answer')[]> {
  const pace = { pauseMs: 100 }
  const begun: Promise<unknown>[] = []
  const readings = NAMES.map((name, which) => {
    const asked = report(which)
    // lighttpd answers nothing before it has the whole answer.
    if (name !== 'lighttpd') begun.push(asked)
    return asked.then(
      (response) => read(response, pace),
      () => 'no answer' as const,
    )
  })
  await Promise.all(begun)
  await sleep(50)
  await endServer()
  pace.pauseMs = 0
  return Promise.all(readings)
}

const HIDDEN = 'hidden by the proxy, seen by the portal'
/** A proxy that reads ahead may have had all of it. */
const orWhole = (outcome: string) => expect.stringMatching(`^(${outcome}|whole)$`) as string

const outcomeOf = (reading: Reading | 'no answer') => {
  if (reading === 'no answer') return 'said'
  if (reading.outcome === 'whole') return reading.lines === ROWS + OTHER_LINES ? 'whole' : 'HALF A FILE TAKEN FOR WHOLE'
  return reading.endedCleanly && reading.status === 200 ? HIDDEN : 'said'
}

describe.each(NAMES.map((name, which) => ({ name, which })))('$name', ({ which }) => {
  it('lets whole files through', async () => {
    const csv = await read(await report(which, { encoding: 'gzip' }))
    expect(csv).toMatchObject({ outcome: 'whole', lines: ROWS + OTHER_LINES })
    expect(await read(await report(which, { format: 'xlsx' }))).toMatchObject({ outcome: 'whole' })
  })
})

it('a server that is killed leaves no half file that is taken for whole', async () => {
  const readings = await readAllWhile(() => server.kill())
  server = await startServer(env, port)
  const seen = Object.fromEntries(NAMES.map((name, which) => [name, outcomeOf(readings[which]!)]))
  expect(seen).toEqual({
    'nginx with HTTP/1.0 to the server': orWhole(HIDDEN),
    haproxy: 'said',
    'haproxy with HTTP/2 to the client': HIDDEN,
    caddy: HIDDEN,
    lighttpd: orWhole(HIDDEN),
    apache2: 'said',
  })
}, 60_000)

it('a server that stops cuts slow readers after seven seconds, and no half file is taken for whole', async () => {
  const readings = await readAllWhile(() => server.stop())
  server = await startServer(env, port)
  const outcomes = readings.map(outcomeOf)
  expect(outcomes).not.toContain('HALF A FILE TAKEN FOR WHOLE')
  expect(outcomes.filter((one) => one !== 'whole').length).toBeGreaterThan(0)
}, 60_000)

it('a server that stops finishes what is read in time', async () => {
  const reading = read(await report(NAMES.indexOf('haproxy')))
  await server.stop()
  expect(await reading).toMatchObject({ outcome: 'whole', lines: ROWS + OTHER_LINES })
  server = await startServer(env, port)
}, 60_000)
