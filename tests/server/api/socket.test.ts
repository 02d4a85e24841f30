import { request, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Reading } from '../../../server/db/engine/Database.ts'
import { redemption } from '../../../server/db/schema/redemptions.ts'
import { voucher } from '../../../server/db/schema/vouchers.ts'
import { logIn, send, type Ask } from '../../support/api/portalClient.ts'
import { makeMerchant, makePosUser, makeSerial, type Merchant, type PosUser } from '../../support/database/builders.ts'
import { testServer, type TestServer } from '../../support/server/testServer.ts'

let server: TestServer
let listener: Server
let ask: Ask
let merchant: Merchant
let till: PosUser
let token: string
beforeAll(async () => {
  server = await testServer()
  listener = serve({ fetch: server.app.fetch, port: 0, hostname: '127.0.0.1' }) as Server
  await new Promise((resolve) => listener.once('listening', resolve))
  // On a busy machine a test's data can take longer than a kept connection lives. The next request would then meet its end.
  listener.keepAliveTimeout = 120_000
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  ask = (path, init) => fetch(url + path, init)
})
afterAll(async () => {
  listener.closeAllConnections()
  listener.close()
  await server.close()
})
beforeEach(async () => {
  const { db } = server.database
  merchant = await makeMerchant(db)
  till = await makePosUser(db, merchant)
  ;({ token } = await logIn(ask, merchant.main))
  const redeemedAt = new Date('2026-11-15T00:00:00Z')
  const place = { organisationId: merchant.organisation.id, branchId: merchant.branch.id }
  const used = {
    denominationCents: 100,
    expiresOn: '2027-01-01',
    status: 'Used' as const,
    usedAt: redeemedAt,
    ...place,
  }
  const rows = Array.from({ length: 6_000 }, () => ({ id: uuidv7(), serial: makeSerial(), ...used }))
  for (let at = 0; at < rows.length; at += 2_000) {
    const chunk = rows.slice(at, at + 2_000)
    await db.insert(voucher).values(chunk)
    const entry = { organisationId: merchant.organisation.id, branchId: merchant.branch.id, posUserId: till.id }
    const ledger = { amountCents: 100, redeemedAt, recordedAt: redeemedAt, ...entry }
    const entries = chunk.map(({ id: voucherId }) => Object.assign({ id: uuidv7(), voucherId }, ledger))
    await db.insert(redemption).values(entries)
  }
})

const PATH = '/reporting/report/merchant/transaction_report'
const NOVEMBER = { from: '2026-11-01', to: '2026-11-21' }
const report = (format = 'csv') =>
  send(ask, 'POST', PATH, { body: { ...NOVEMBER, format }, token, headers: { 'login-type': 'MERCHANT' } })
const underWay = () => server.deps.queues.reports.state().running

it('streams a whole report over a real connection', async () => {
  const response = await report()
  expect(response.headers.get('transfer-encoding')).toBe('chunked')
  expect((await response.text()).trimEnd().split('\r\n')).toHaveLength(6_000 + 14)
  expect(underWay()).toBe(0)
})

it('ACL-11: answers TRACE with no echo of what was sent', async () => {
  const { port } = listener.address() as AddressInfo
  const headers = { authorization: `Bearer ${token}` }
  const answered = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const call = request(
      { port, host: '127.0.0.1', path: '/api/account/my_info', method: 'TRACE', headers },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => resolve({ status: response.statusCode, text }))
      },
    )
    call.on('error', reject)
    call.end()
  })
  expect([404, 405]).toContain(answered.status)
  expect(answered.text).not.toContain(token)
})

it.each([
  ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
  ['two lengths', ['Content-Length: 5', 'Content-Length: 6']],
  ['chunks under another name as well', ['Transfer-Encoding: chunked, identity']],
])('TBL-09: a request framed by %s is refused, and its connection closed', async (_, framing) => {
  const text = await sendRaw(['POST /api/auth/login HTTP/1.1', 'Host: a', 'Content-Type: application/json', ...framing])
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
  expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1)
})

/** Sends these lines with a smuggled request behind them. Returns everything the server answers until it closes the connection. */
function sendRaw(lines: string[]): Promise<string> {
  const { port } = listener.address() as AddressInfo
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`${lines.join('\r\n')}\r\n\r\n0\r\n\r\nGET /api/health HTTP/1.1\r\nHost: a\r\n\r\n`),
    )
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

it('TBL-14: stops, frees the slot and the database when the reader hangs up, however often', async () => {
  for (let n = 0; n < 12; n += 1) {
    await hangUp(n % 2 === 0 ? 'csv' : 'xlsx', n % 3 === 0 ? 'gzip' : 'identity')
    await vi.waitFor(() => expect(underWay()).toBe(0))
  }
  await vi.waitFor(async () => expect(await busyConnections()).toBe(0), { timeout: 5_000 })
  expect((await (await report()).text()).trimEnd().split('\r\n')).toHaveLength(6_000 + 14)
  expect(server.log.events.filter(({ event }) => event === 'file_broken_off')).toEqual([])
})

/** Asks for a report and hangs up after its first bytes. */
function hangUp(format: string, encoding: string): Promise<void> {
  const { port } = listener.address() as AddressInfo
  const sent = { 'content-type': 'application/json', 'accept-encoding': encoding }
  const headers = { ...sent, authorization: `Bearer ${token}`, 'login-type': 'MERCHANT' }
  return new Promise((resolve) => {
    const call = request({ port, host: '127.0.0.1', path: PATH, method: 'POST', headers }, (response) => {
      expect(response.statusCode).toBe(200)
      response.once('data', () => {
        call.destroy()
        resolve()
      })
    })
    call.on('error', () => resolve())
    call.end(JSON.stringify({ ...NOVEMBER, format }))
  })
}

/** Returns how many database connections are not idle. */
async function busyConnections(): Promise<number> {
  const text = `SELECT count(*)::int AS busy FROM pg_stat_activity
    WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`
  const [row] = await server.database.run<[], { busy: number }>({ name: 'busy', text }, [])
  return row!.busy
}

it.each(['csv', 'xlsx'])('cuts the connection when a %s breaks off: half of it never looks whole', async (format) => {
  const lost = Object.assign(new Error('database lost'), { code: '57P01' })
  // Made here, because the routes of this merchant are made at its first call. Its queries go through the tenant wall.
  const walled = server.database.forTenant(merchant.organisation.id)
  vi.spyOn(server.database, 'forTenant').mockReturnValueOnce(walled)
  const reading = await walled.openReading()
  vi.spyOn(walled, 'openReading').mockResolvedValueOnce(breakingOff(reading, lost))
  const read = async () => (await report(format)).text()
  await expect(read()).rejects.toThrow(/terminated|fetch failed/)
  const broken = server.log.events.filter(({ event }) => event === 'file_broken_off')
  expect(broken.slice(-1)).toMatchObject([{ facts: { message: 'database lost' } }])
  await vi.waitFor(() => expect(underWay()).toBe(0))
})

/** Reads the first piece of `reading`, then fails with `error`. */
const breakingOff = (reading: Reading, error: Error): Reading => ({
  ...reading,
  rows: (source) => firstOf(reading.rows(source), error),
})

async function* firstOf<T>(pieces: AsyncGenerator<T, unknown, void>, error: Error): AsyncGenerator<T, never, void> {
  for await (const piece of pieces) {
    yield piece
    throw error
  }
  throw new Error('nothing to break off')
}
