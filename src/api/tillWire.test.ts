import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installBrowserGlobals } from '../../tests/support/browser/browserGlobals.ts'
import type { HeldVoucher, TillWire } from '../domain/TillWire.ts'
import { connectApi } from './ports.ts'
import { tillWire } from './tillWire.ts'

interface Answer {
  status: number
  type?: string
  body: string
}

/** Of whoever is logged in: a voucher is asked about with a session, and with nothing else. */
const CLAIMS = { sub: 'me', sid: 's', iat: 1, exp: Math.floor(Date.now() / 1000) + 600 }
const TOKEN = `e30.${Buffer.from(JSON.stringify(CLAIMS)).toString('base64url')}.x`

let answer: Answer
let traces: (string | undefined)[] = []
const server = createServer((request, response) => {
  traces.push(request.headers.traceparent as string | undefined)
  request.resume()
  request.on('end', () =>
    response.writeHead(answer.status, { 'content-type': answer.type ?? 'application/json' }).end(answer.body),
  )
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  installBrowserGlobals(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  connectApi({
    getToken: () => TOKEN,
    sessionBases: () => undefined,
    onRefreshed: () => undefined,
    onUnauthorized: () => undefined,
    serverNow: Date.now,
    idleSeconds: () => 0,
    ask: (work) => work(),
    alone: (_, work) => work(true, () => false),
    onContact: () => undefined,
    onTrouble: () => undefined,
  })
})
afterAll(() => void server.close())

const failure = (status: number, error: string): Answer => {
  return { status, body: JSON.stringify({ message: `words for ${error}`, error, data: {}, request_id: 'r-1' }) }
}
const page = (status: number): Answer => ({ status, type: 'text/html', body: '<h1>Not here</h1>' })

const VOUCHER: HeldVoucher = {
  id: '0193a5a0-0000-7000-8000-000000000001',
  secret: 'A'.repeat(43),
  serial: '2000000000015',
  confirmedAt: 1,
}

describe('what a till hears when it uploads what waits', () => {
  const upload = (...vouchers: HeldVoucher[]) => tillWire.upload(vouchers)
  const OTHER = { ...VOUCHER, id: '0193a5a0-0000-7000-8000-000000000002', serial: '2000000000022' }
  const RECEIPT = {
    id: VOUCHER.id,
    serial: VOUCHER.serial,
    denomination_cents: 1_000,
    expires_on: '2027-01-31',
    receipt_number: 'R-000001',
    redeemed_at: '2026-11-25T01:00:00Z',
    pos_username: 'till-1',
    branch_name: 'Tampines',
  }
  const refused = (id: string, status: number, error: string, more: object = {}) => {
    return { outcome: 'refused', id, status, error, message: `words for ${error}`, data: {}, ...more }
  }
  const outcomes = (...rows: object[]): Answer => ({ status: 200, body: JSON.stringify({ data: { outcomes: rows } }) })

  it.each(['redeemed', 'replayed'])('is a receipt for each that was %s', async (outcome) => {
    answer = outcomes({ outcome, id: VOUCHER.id, receipt: RECEIPT })
    expect(await upload(VOUCHER)).toEqual({
      kind: 'done',
      answer: new Map([[VOUCHER.id, { kind: 'done', answer: RECEIPT }]]),
    })
  })

  it('is the same of each as it would have been alone', async () => {
    answer = outcomes(
      refused(VOUCHER.id, 409, 'HOLD_ENDED'),
      refused(OTHER.id, 503, 'DB_UNAVAILABLE', { retry_after_seconds: 2 }),
    )
    const heard = await upload(VOUCHER, OTHER)
    expect(heard.kind === 'done' && [...heard.answer.values()]).toMatchObject([
      { kind: 'refused', refused: { code: 'HOLD_ENDED' } },
      { kind: 'later', connectionFailed: false, isBusy: true, retryAfterMs: 2_000 },
    ])
  })

  it.each([
    refused(VOUCHER.id, 401, 'SESSION_ENDED'),
    refused(VOUCHER.id, 409, 'OF_A_LATER_RELEASE'),
    refused(VOUCHER.id, 409, 'VOUCHER_BUSY', { retry_after_seconds: 1 }),
    refused(VOUCHER.id, 500, 'INTERNAL'),
  ])('never ends the money of one by $error', async (row) => {
    answer = outcomes(row)
    const heard = await upload(VOUCHER)
    expect(heard.kind === 'done' && heard.answer.get(VOUCHER.id)).toMatchObject({ kind: 'later' })
  })

  it.each([
    ['a page of status 404', page(404)],
    ['a page of status 405', page(405)],
    ['404 NOT_FOUND', failure(404, 'NOT_FOUND')],
    ['405 METHOD_NOT_ALLOWED', failure(405, 'METHOD_NOT_ALLOWED')],
    ['413 PAYLOAD_TOO_LARGE', failure(413, 'PAYLOAD_TOO_LARGE')],
    ['422 VALIDATION_FAILED', failure(422, 'VALIDATION_FAILED')],
  ])('is to send each alone after %s', async (_, given) => {
    answer = given
    expect(await upload(VOUCHER, OTHER)).toMatchObject({ kind: 'refused' })
  })

  it.each([
    ['a page of status 502', page(502)],
    ['a page of status 200', page(200)],
    ['503 SERVER_BUSY', failure(503, 'SERVER_BUSY')],
    ['429 TOO_MANY_ATTEMPTS', failure(429, 'TOO_MANY_ATTEMPTS')],
  ])('is to come again with all after %s', async (_, given) => {
    answer = given
    expect(await upload(VOUCHER, OTHER)).toMatchObject({ kind: 'later' })
  })
})

const BY_HOLD = ['redeem', 'cancel', 'ask'] as const satisfies (keyof TillWire)[]

describe('what a till hears of what it accepted without a check', () => {
  const ID = VOUCHER.id
  const till = '0193a5a0-0000-7000-8000-0000000000a1'
  const accept = async () => {
    const taking = { sequence: till, number: 1, previous: '0'.repeat(64) }
    const row = { id: ID, code: 'HRP2:0', grant: till, total_cents: 1_000, cents: 1_000, pos_user: till }
    const accepted = [{ ...row, accepted_at: '2026-11-25T01:00:00Z', taking, secret: 'A'.repeat(43) }]
    const heard = await tillWire.accept({ accepted })
    return heard.kind === 'done' ? heard.answer.get(ID) : heard
  }
  const outcome = (row: object): Answer => {
    return { status: 200, body: JSON.stringify({ data: { outcomes: [{ id: ID, ...row }] } }) }
  }

  it.each([
    { outcome: 'lost', reason: 'used elsewhere', at: '2026-11-25T00:00:00Z' },
    { outcome: 'lost', reason: 'revoked', at: null },
    { outcome: 'review', reason: 'over the limit' },
  ])('is final: $outcome, $reason', async (row) => {
    answer = outcome(row)
    expect(await accept()).toEqual({ kind: 'done', answer: { id: ID, ...row } })
  })

  it('is to come again while another till has it on hold', async () => {
    answer = outcome({ outcome: 'waiting', retry_after_seconds: 60 })
    expect(await accept()).toMatchObject({ kind: 'later', connectionFailed: false, retryAfterMs: 60_000 })
  })

  it.each(['GRANT_UNKNOWN', 'IDEMPOTENCY_KEY_REUSED'])('is no outcome where a row was refused (%s)', async (error) => {
    answer = outcome({ outcome: 'refused', error })
    expect(await accept()).toMatchObject({ kind: 'refused', refused: { code: error } })
  })

  it.each([
    ['a page of status 404', page(404), 'refused'],
    ['404 NOT_FOUND', failure(404, 'NOT_FOUND'), 'refused'],
    ['503 DB_UNAVAILABLE', failure(503, 'DB_UNAVAILABLE'), 'later'],
    ['an outcome of a later release', outcome({ outcome: 'paid twice' }), 'later'],
  ])('is for all of them alike at %s', async (_, answered, kind) => {
    answer = answered
    expect(await accept()).toMatchObject({ kind })
  })
})

describe('what a till hears when it asks about a voucher', () => {
  const verify = () =>
    tillWire.verify({ id: VOUCHER.id, serial: VOUCHER.serial, secret_hash: 'a'.repeat(64), till: VOUCHER.id })

  // Only where nothing answered may the voucher be accepted without a check.
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

describe.each(BY_HOLD)('what a till hears when it sends "%s" by the right of its hold', (name) => {
  it.each([
    ['a page of status 404', page(404)],
    ['a page of status 405', page(405)],
    ['a page of status 413', page(413)],
    ['404 NOT_FOUND', failure(404, 'NOT_FOUND')],
    ['405 METHOD_NOT_ALLOWED', failure(405, 'METHOD_NOT_ALLOWED')],
    ['413 PAYLOAD_TOO_LARGE', failure(413, 'PAYLOAD_TOO_LARGE')],
    ['415 UNSUPPORTED_MEDIA_TYPE', failure(415, 'UNSUPPORTED_MEDIA_TYPE')],
    ['422 VALIDATION_FAILED', failure(422, 'VALIDATION_FAILED')],
    ['403 FORBIDDEN', failure(403, 'FORBIDDEN')],
    ['401 TOKEN_INVALID', failure(401, 'TOKEN_INVALID')],
    ['a code that this release does not know', failure(409, 'OF_A_LATER_RELEASE')],
    ['a code that is a word of the language', failure(409, 'toString')],
  ])('is never the last word after %s, and says what was answered', async (_, given) => {
    answer = given
    const heard = await tillWire[name](VOUCHER)
    expect(heard).toMatchObject({ kind: 'later', message: expect.stringMatching(/^words for|^Something other/) })
  })

  it.each([
    failure(409, 'HOLD_ENDED'),
    failure(404, 'HOLD_UNKNOWN'),
    failure(422, 'IDEMPOTENCY_KEY_REUSED'),
    failure(409, 'VOUCHER_ALREADY_USED'),
    failure(409, 'VOUCHER_EXPIRED'),
    failure(409, 'VOUCHER_REVOKED'),
    failure(404, 'VOUCHER_UNKNOWN'),
  ])('is the last word after $body', async (given) => {
    answer = given
    expect(await tillWire[name](VOUCHER)).toMatchObject({ kind: 'refused' })
  })
})

it('whatever is asked by a hold is part of one trace, whose id is that of the hold', async () => {
  answer = failure(409, 'VOUCHER_HELD')
  traces = []
  await tillWire.redeem(VOUCHER)
  await tillWire.ask(VOUCHER)
  await tillWire.cancel(VOUCHER)
  expect(traces).toEqual(Array(3).fill('00-0193a5a0000070008000000000000001-8000000000000001-01'))
})
