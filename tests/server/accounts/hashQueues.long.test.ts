import { once } from 'node:events'
import { request, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { serve } from '@hono/node-server'
import type * as Argon2 from '@node-rs/argon2'
import { verify } from '@node-rs/argon2'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, vi } from 'vitest'
import { branch, organisation } from '../../../server/db/schema/organisations.ts'
import { hashPassword } from '../../../server/services/accounts/passwords/passwordHash.ts'
import { encryptPassword, logIn, tryToLogIn, type Ask, type Reply } from '../../support/api/portalClient.ts'
import { makeMerchant, makePosUser, makeVoucher, type Merchant } from '../../support/database/builders.ts'
import { newHoldKey, testTill, type TestTill } from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

const STRANGE = 'A-Strange-Horse-2026!'
const WRONG = 'Wrong-Horse-2026!'
const PIN = '104482'
const REFUSED = { status: 400, error: 'INVALID_CREDENTIALS' }

/** Ends the password checks of unknown callers, which wait until they are called. */
const begun: (() => void)[] = []
const endAll = () => begun.splice(0).forEach((end) => end())

let merchant: Merchant
let device: Ask
let counter: TestTill
beforeEach(async ({ onTestFinished }) => {
  merchant = await makeMerchant(db())
  const pinHash = await hashPassword(PIN)
  await db().update(branch).set({ pinHash, pinSetAt: server.clock.now() }).where(eq(branch.id, merchant.branch.id))
  await db()
    .update(organisation)
    .set({ verificationMethod: 'Serial and branch PIN' })
    .where(eq(organisation.id, merchant.organisation.id))
  const { cookie } = await logIn(ask, merchant.main)
  device = from({ cookie })
  counter = await testTill(ask, await makePosUser(db(), merchant))
  vi.mocked(verify).mockClear()
  const original = await vi.importActual<typeof Argon2>('@node-rs/argon2')
  vi.mocked(verify).mockImplementation((hash, password) =>
    password === STRANGE
      ? new Promise<boolean>((resolve) => begun.push(() => resolve(false)))
      : original.verify(hash, password),
  )
  onTestFinished(() => void vi.mocked(verify).mockImplementation(original.verify))
})

const from =
  (headers: Record<string, string>, remoteAddress?: string): Ask =>
  (path, init) =>
    server.app.request(
      path,
      { ...init, headers: { ...(init?.headers as Record<string, string>), ...headers } },
      remoteAddress === undefined ? undefined : ({ incoming: { socket: { remoteAddress } } } as never),
    )

let names = 0
const nobody = () => ({ loginKind: 'merchant' as const, loginName: `nobody-${names++}@test.example` })

const strangers = () => server.deps.queues.strangersHashes.state()

/** Sends more unknown callers than may wait. Returns their answers as they arrive. */
async function flood(amount = 60) {
  const answered: Reply[] = []
  const all = Array.from({ length: amount }, async () => {
    const reply = await tryToLogIn(ask, nobody(), STRANGE)
    answered.push(reply)
    return reply
  })
  // Callers for whom there was room wait; all others have an answer.
  await vi.waitFor(() => expect(begun.length + strangers().waiting + answered.length).toBe(amount), { timeout: 20_000 })
  return { answered, all }
}

/** Ends one hash after the other until all callers have an answer. */
async function finish(all: Promise<Reply>[]): Promise<Reply[]> {
  let open = true
  const done = Promise.all(all).finally(() => (open = false))
  while (open) {
    endAll()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return done
}

describe('while strangers have taken every place that they may have', () => {
  it('AUT-06: one more is refused as by a busy server, unhashed, and counts against nobody', async () => {
    const { answered, all } = await flood()
    expect(answered.length).toBeGreaterThan(20)
    for (const { status, error, headers } of answered) {
      expect({ status, error }).toEqual({ status: 503, error: 'SERVER_BUSY' })
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }
    const before = vi.mocked(verify).mock.calls.length
    for (let tries = 0; tries < 6; tries += 1) {
      expect(await tryToLogIn(ask, merchant.main)).toMatchObject({ status: 503, error: 'SERVER_BUSY' })
    }
    expect(vi.mocked(verify).mock.calls.length).toBe(before)
    const others = (await finish(all)).filter(({ status }) => status !== 503)
    for (const reply of others) expect(reply).toMatchObject(REFUSED)
    expect((await tryToLogIn(ask, merchant.main)).status).toBe(200)
  })

  it('AUT-06: a PIN is checked, and a device that has logged in before is let in', async () => {
    const { all } = await flood()
    const { serial } = await makeVoucher(db())
    const verified = (pin: string) => counter.verify(serial, newHoldKey(), { pin })
    expect(await verified('999999')).toMatchObject({ status: 422, error: 'PIN_WRONG' })
    expect((await verified(PIN)).status).toBe(200)
    expect((await tryToLogIn(device, merchant.main)).status).toBe(200)
    await finish(all)
  })

  it('AUT-06: what waits is not hashed once its caller has hung up', async ({ onTestFinished }) => {
    const listener = serve({ fetch: server.app.fetch, port: 0, hostname: '127.0.0.1' }) as Server
    await new Promise((resolve) => listener.once('listening', resolve))
    onTestFinished(() => void listener.close())
    const { all } = await flood(15)
    const waiting = () => strangers().waiting
    const before = waiting()
    const encrypted_password = await encryptPassword(ask, WRONG)
    const body = JSON.stringify({ kind: 'merchant', email: merchant.main.loginName, encrypted_password })
    const { port } = listener.address() as AddressInfo
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const connected = once(listener, 'connection') as Promise<[Socket]>
    const asked = request({ port, host: '127.0.0.1', method: 'POST', path: '/api/auth/login', headers })
    asked.on('error', () => undefined).end(body)
    const closed = once((await connected)[0], 'close')
    await vi.waitFor(() => expect(waiting()).toBe(before + 1), { timeout: 20_000 })
    asked.destroy()
    await closed
    await finish(all)
    expect(waiting()).toBe(0)
    expect(vi.mocked(verify).mock.calls.filter(([, password]) => password === WRONG)).toEqual([])
  })
})

describe('one line', () => {
  it('AUT-06: may be wrong sixty times a minute, whatever the names, and then is refused unhashed', async () => {
    for (let tries = 0; tries < 60; tries += 1) {
      expect(await tryToLogIn(from({}, '192.0.2.7'), nobody(), WRONG)).toMatchObject(REFUSED)
    }
    vi.mocked(verify).mockClear()
    const blocked = await tryToLogIn(from({}, '192.0.2.7'), merchant.main)
    expect(blocked).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' })
    expect(blocked.headers.get('retry-after')).toBe('60')
    expect(vi.mocked(verify)).not.toHaveBeenCalled()
    expect((await tryToLogIn(from({}, '192.0.2.8'), merchant.main)).status).toBe(200)
    server.clock.advance({ minutes: 1 })
    expect((await tryToLogIn(from({}, '192.0.2.7'), merchant.main)).status).toBe(200)
  })

  it('AUT-06: is a /64 of IPv6', async () => {
    for (let tries = 0; tries < 60; tries += 1) {
      expect(await tryToLogIn(from({}, `2001:db8:0:7::${tries}`), nobody(), WRONG)).toMatchObject(REFUSED)
    }
    expect((await tryToLogIn(from({}, '2001:db8:0:7:ffff::1'), nobody(), WRONG)).status).toBe(429)
    expect((await tryToLogIn(from({}, '2001:db8:0:8::1'), nobody(), WRONG)).status).toBe(400)
  })

  it('AUT-06: may be right as often as it likes, and is open to devices that have logged in before', async () => {
    for (let times = 0; times < 70; times += 1) {
      expect((await tryToLogIn(from({}, '192.0.2.9'), merchant.main)).status).toBe(200)
    }
    for (let tries = 0; tries < 60; tries += 1) await tryToLogIn(from({}, '192.0.2.9'), nobody(), WRONG)
    expect((await tryToLogIn(from({}, '192.0.2.9'), merchant.main)).status).toBe(429)
    // Seventy devices logged in at the same instant, so it is undefined which of them are the last twenty. This one is later.
    server.clock.advance({ seconds: 1 })
    const { cookie } = await logIn(ask, merchant.main)
    expect((await tryToLogIn(from({ cookie }, '192.0.2.9'), merchant.main)).status).toBe(200)
  })
})
