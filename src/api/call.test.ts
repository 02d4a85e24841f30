import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { installBrowserGlobals } from '../../tests/support/browser/browserGlobals.ts'
import { myInfo } from '../contract/accounts/account.ts'
import { initiateMfaSetup, verifyAndEnableMfa } from '../contract/accounts/auth.ts'
import { syncTill } from '../contract/redemptions/sync.ts'
import { branchOptions } from '../contract/reports/reportFilters.ts'
import { reportPreview } from '../contract/reports/reportPreview.ts'
import type { Contact } from '../domain/connectivity.ts'
import type { ApiError } from './ApiError.ts'
import { call } from './call.ts'
import { filenameOf } from './download.ts'
import { connectApi } from './ports.ts'

const token = (name: string, secondsLeft: number) => {
  const exp = Math.floor(Date.now() / 1000) + secondsLeft
  const claims = { sub: 'me', sid: 's', iat: 1, exp, name }
  return `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`
}
/** Another token for each test: calls with the same expired token share one refresh. */
let expired: string
let tests = 0
const FRESH = token('fresh', 600)

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const json = (status: number, body: unknown, headers = {}): Answer => {
  return (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
const failure = (status: number, error: string, headers = {}) =>
  json(status, { message: `words for ${error}`, error, data: {}, request_id: 'r-1' }, headers)
const hangUp: Answer = (request) => request.socket.destroy()

let answers: Record<string, Answer>
let requests: { path: string; headers: IncomingMessage['headers'] }[]
const server = createServer((request, response) => {
  const path = request.url!.split('?')[0]!
  requests.push({ path, headers: request.headers })
  const answer = answers[path] ?? failure(404, 'NOT_FOUND')
  answer(request, response)
})

let stored: string | undefined
const onUnauthorized = vi.fn<(error: ApiError, token: string | undefined) => void>()
const onTrouble = vi.fn<(about: string, error: ApiError) => void>()
const onContact = vi.fn<(contact: Contact) => void>()
/** True when the browser has stopped this tab for longer than other tabs wait. */
let wasStopped = false

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  installBrowserGlobals(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  connectApi({
    getToken: () => stored,
    sessionBaseUrls: () => undefined,
    onRefreshed: (fresh) => (stored = fresh),
    onUnauthorized,
    onTrouble,
    serverNow: Date.now,
    idleSeconds: () => 7,
    runRequest: (work) => work(),
    runAlone: (_, work) => work(true, () => wasStopped),
    onContact,
  })
})
afterAll(() => void server.close())
beforeEach(() => {
  expired = token(`expired ${(tests += 1)}`, -10)
  stored = FRESH
  requests = []
  vi.clearAllMocks()
  wasStopped = false
  answers = {
    '/api/account/refresh': json(200, { data: { access_token: FRESH } }),
    '/api/filter/transaction/branch_list': json(200, { data: [] }),
  }
})

const paths = () => requests.map(({ path }) => path)
const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it should have been rejected'),
    (error: unknown) => error as ApiError,
  )

describe('a call', () => {
  it('carries the token and how long the person has been idle', async () => {
    await call(branchOptions)
    expect(requests[0]?.headers).toMatchObject({ authorization: `Bearer ${FRESH}`, 'idle-seconds': '7' })
  })

  it('ends the session on any other 401, with the code and the token it was said to', async () => {
    answers['/api/account/my_info'] = failure(401, 'SESSION_TERMINATED')
    const error = await rejection(call(myInfo))
    expect(error).toMatchObject({
      code: 'SESSION_TERMINATED',
      statusCode: 401,
      statusMessage: 'words for SESSION_TERMINATED',
    })
    expect(onUnauthorized).toHaveBeenCalledWith(error, FRESH)
  })

  it('ends the session when the refresh itself is refused', async () => {
    stored = expired
    answers['/api/account/refresh'] = failure(401, 'TOKEN_REUSED')
    expect(await rejection(call(branchOptions))).toMatchObject({ code: 'TOKEN_REUSED' })
    expect(onUnauthorized).toHaveBeenCalledTimes(1)
  })

  it('leaves a newer token in its place when it wakes up after another tab has gone on from there', async () => {
    const newest = token('newest', 600)
    stored = expired
    answers['/api/account/refresh'] = (request, response) => {
      wasStopped = true
      stored = newest
      json(200, { data: { access_token: FRESH } })(request, response)
    }
    await call(branchOptions)
    expect(stored).toBe(newest)
    expect(requests.at(-1)?.headers.authorization).toBe(`Bearer ${newest}`)
    expect(paths().filter((path) => path.endsWith('refresh'))).toHaveLength(1)
  })

  it('does not send an old token when it wakes up: its successor may be on its way here', async () => {
    const newest = token('newest', 600)
    stored = expired
    wasStopped = true
    setTimeout(() => (stored = newest), 50)
    await call(branchOptions)
    expect(paths()).toEqual(['/api/filter/transaction/branch_list'])
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${newest}`)
  })

  it('never ends a session because the connection failed, at the request or at the refresh', async () => {
    stored = expired
    answers['/api/account/refresh'] = hangUp
    const error = await rejection(call(branchOptions))
    expect(error).toMatchObject({ code: 'NETWORK', statusCode: 500, isConnectionFault: true })
    expect(onTrouble).toHaveBeenCalledExactlyOnceWith('session', error)
    stored = FRESH
    answers['/api/filter/transaction/branch_list'] = hangUp
    expect(await rejection(call(branchOptions))).toMatchObject({ code: 'NETWORK' })
    expect(onUnauthorized).not.toHaveBeenCalled()
    expect(onContact).toHaveBeenLastCalledWith('silent')
  })

  it('takes the page of a captive portal for a lost connection, whatever its status', async () => {
    for (const status of [200, 302, 511]) {
      answers['/api/filter/transaction/branch_list'] = (_request, response) =>
        response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Free Wi-Fi</h1>')
      expect(await rejection(call(branchOptions))).toMatchObject({ code: 'NOT_OUR_ANSWER', isConnectionFault: true })
    }
    expect(onUnauthorized).not.toHaveBeenCalled()
  })

  it('rejects with the facts of the failure', async () => {
    answers['/api/filter/transaction/branch_list'] = failure(429, 'TOO_MANY_ATTEMPTS', { 'retry-after': '7' })
    expect(await rejection(call(branchOptions))).toMatchObject({
      statusCode: 429,
      retryAfterSeconds: 7,
      requestId: 'r-1',
    })
  })

  it('never repeats a redemption by itself: its id belongs to the till', async () => {
    answers['/api/till/sync'] = hangUp
    await rejection(
      call(syncTill, {
        body: { rows: [{ became: 'redeemed', id: '0190c3b0-0000-7000-8000-000000000001', secret: 's'.repeat(43) }] },
      }),
    )
    expect(paths()).toEqual(['/api/till/sync'])
  })
})

describe('a call that a challenge vouches for', () => {
  const offered = {
    data: {
      setup: 's'.repeat(43),
      secret: 'JBSWY3DP',
      otpauth_url: 'otpauth://totp/x',
      expires_at: '2026-11-21T02:00:00.000Z',
    },
  }

  it('needs no token, and ends no session when it is refused', async () => {
    stored = undefined
    answers['/api/auth/initiate_mfa_setup'] = json(200, offered)
    expect(await call(initiateMfaSetup, { body: { session: 'c'.repeat(43) } })).toEqual(offered.data)
    answers['/api/auth/verify_and_enable_mfa'] = failure(400, 'CHALLENGE_EXPIRED')
    const refused = await rejection(call(verifyAndEnableMfa, { body: { setup: 's'.repeat(43), code: '123456' } }))
    expect(refused.code).toBe('CHALLENGE_EXPIRED')
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])
    expect(onUnauthorized).not.toHaveBeenCalled()
  })

  it('is signed by the session where the body names none', async () => {
    answers['/api/auth/initiate_mfa_setup'] = json(200, offered)
    await call(initiateMfaSetup, { body: {} })
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${FRESH}`)
  })
})

describe('the name of a file', () => {
  it.each([
    [`attachment; filename="a.csv"; filename*=UTF-8''1%E2%80%9321%20Nov.csv`, '1–21 Nov.csv'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment', 'download'],
  ])('of %s is %s', (disposition, name) => expect(filenameOf(disposition)).toBe(name))
})

describe('a call of the reporting service', () => {
  const request = { report: 'daily', day: '2026-10-01' } as never

  it('reads the profile first, and goes no further when that is 401', async () => {
    answers['/api/account/my_info'] = failure(401, 'SESSION_ENDED')
    const error = await rejection(call(reportPreview, { body: request }))
    expect(error.statusCode).toBe(401)
    expect(paths()).toEqual(['/api/account/my_info'])
    expect(onUnauthorized).toHaveBeenCalledOnce()
  })
})
