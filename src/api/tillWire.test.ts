import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { installBrowserGlobals } from '../../tests/support/browser/browserGlobals.ts'
import type { SyncRow } from '../contract/redemptions/sync.ts'
import { connectApi } from './ports.ts'
import { tillWire } from './tillWire.ts'

interface Answer {
  status: number
  type?: string
  body: string
  retryAfter?: string
}

/** Claims of a session: a till asks about a voucher only with one. */
const CLAIMS = { sub: 'me', sid: 's', iat: 1, exp: Math.floor(Date.now() / 1000) + 600 }
const TOKEN = `e30.${Buffer.from(JSON.stringify(CLAIMS)).toString('base64url')}.x`

let answer: Answer
let heard: IncomingHttpHeaders[]
let endedSessions: number
const server = createServer((request, response) => {
  heard.push(request.headers)
  request.resume()
  request.on('end', () => {
    const { status, type = 'application/json', body, retryAfter } = answer
    const headers = { 'content-type': type, ...(retryAfter && { 'retry-after': retryAfter }) }
    response.writeHead(status, headers).end(body)
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  installBrowserGlobals(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  connectApi({
    getToken: () => TOKEN,
    sessionBaseUrls: () => undefined,
    onRefreshed: () => undefined,
    onUnauthorized: () => void (endedSessions += 1),
    serverNow: Date.now,
    idleSeconds: () => 0,
    runRequest: (work) => work(),
    runAlone: (_, work) => work(true, () => false),
    onContact: () => undefined,
    onTrouble: () => undefined,
  })
})
beforeEach(() => {
  heard = []
  endedSessions = 0
})
afterAll(() => void server.close())

const failure = (status: number, error: string, retryAfter?: string): Answer => {
  const body = JSON.stringify({ message: `words for ${error}`, error, data: {}, request_id: 'r-1' })
  return { status, body, ...(retryAfter && { retryAfter }) }
}
const page = (status: number): Answer => ({ status, type: 'text/html', body: '<h1>Not here</h1>' })
const outcomes = (...rows: object[]): Answer => ({ status: 200, body: JSON.stringify({ data: { outcomes: rows } }) })

const ROW: SyncRow = {
  became: 'redeemed',
  id: '0193a5a0-0000-7000-8000-000000000001',
  secret: 'A'.repeat(43),
  tapped_at: '2026-11-25T01:00:00Z',
}
const OTHER: SyncRow = { became: 'cancelled', id: '0193a5a0-0000-7000-8000-000000000002', secret: 'A'.repeat(43) }
const sync = (isBacklog = false) => tillWire.sync([ROW, OTHER], isBacklog)

describe('what a till hears of its holds', () => {
  it('is an outcome for each row, in their order', async () => {
    const said = [
      { state: 'later', retry_after_seconds: 60 },
      { state: 'ended', by: 'taken over', when: '2026-11-25T01:00:00Z' },
    ]
    answer = outcomes(...said)
    expect(await sync()).toEqual({ kind: 'done', answer: said })
  })

  it.each([
    ['an outcome is missing', outcomes({ state: 'unknown' })],
    ['another build has another word', outcomes({ state: 'unknown' }, { state: 'paid twice' })],
    ['a page of status 200 came', page(200)],
    ['a page of status 404 came', page(404)],
    ['a page of status 502 came', page(502)],
    ['a login page of the network came', page(511)],
  ])('is that nothing got through where %s', async (_, given) => {
    answer = given
    expect(await sync()).toEqual({ kind: 'later', connectionFailed: true, message: expect.any(String) })
  })

  it.each([
    failure(400, 'INVALID_JSON'),
    failure(401, 'TOKEN_INVALID'),
    failure(403, 'FORBIDDEN'),
    failure(404, 'NOT_FOUND'),
    failure(405, 'METHOD_NOT_ALLOWED'),
    failure(409, 'HOLD_ENDED'),
    failure(409, 'OF_A_LATER_RELEASE'),
    failure(409, 'toString'),
    failure(413, 'PAYLOAD_TOO_LARGE'),
    failure(422, 'VALIDATION_FAILED'),
    failure(500, 'INTERNAL'),
  ])('is never a last word by a status ($status), and says what was answered', async (given) => {
    answer = given
    expect(await sync()).toEqual({
      kind: 'later',
      connectionFailed: false,
      message: expect.stringMatching(/^words for/),
    })
    expect(endedSessions, 'nobody is logged out over a hold').toBe(0)
  })

  it.each([failure(503, 'SERVER_BUSY', '7'), failure(429, 'TOO_MANY_ATTEMPTS', '7')])(
    'is for how long a server that is busy wants to hear nothing ($status)',
    async (given) => {
      answer = given
      expect(await sync()).toMatchObject({ kind: 'later', connectionFailed: false, isBusy: true, retryAfterMs: 7_000 })
    },
  )
})

it('a till tells its holds without a session, and as a backlog where nobody waits', async () => {
  answer = outcomes({ state: 'unknown' }, { state: 'unknown' })
  await sync()
  await sync(true)
  expect(heard[1]).toMatchObject({ backlog: '1' })
  expect(heard.map((headers) => ['authorization' in headers, 'backlog' in headers])).toEqual([
    [false, false],
    [false, true],
  ])
})

describe('what a till hears when it asks about a voucher', () => {
  const verify = () =>
    tillWire.verify({ id: ROW.id, serial: '2000000000015', secret_hash: 'a'.repeat(64), till: ROW.id })

  // Only if nothing answered may the voucher be accepted without a check.
  it.each([
    ['401 SESSION_ENDED', failure(401, 'SESSION_ENDED'), false],
    ['500 INTERNAL', failure(500, 'INTERNAL'), false],
    ['503 SERVER_BUSY', failure(503, 'SERVER_BUSY'), false],
    ['a page of status 503', page(503), true],
    ['a page of status 200', page(200), true],
  ])('is that the connection failed only where something else answered: %s', async (_, given, connectionFailed) => {
    answer = given
    expect(await verify()).toMatchObject({ kind: 'later', connectionFailed })
  })
})
