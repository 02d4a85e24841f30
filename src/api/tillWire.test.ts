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

let answer: Answer
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () =>
    response.writeHead(answer.status, { 'content-type': answer.type ?? 'application/json' }).end(answer.body),
  )
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  installBrowserGlobals(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  connectApi({
    getToken: () => undefined,
    sessionBases: () => undefined,
    onRefreshed: () => undefined,
    onUnauthorized: () => undefined,
    serverNow: Date.now,
    idleSeconds: () => 0,
    ask: (work) => work(),
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

const BY_HOLD = ['redeem', 'cancel', 'ask'] as const satisfies (keyof TillWire)[]

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
