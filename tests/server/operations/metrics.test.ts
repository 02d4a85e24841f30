import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { createApp } from '../../../server/app.ts'
import { DatabaseUnavailable } from '../../../server/db/engine/databaseError.ts'
import { claimMail, markMailRefused, queueMail } from '../../../server/db/mailOutbox.ts'
import { metrics } from '../../../server/metrics.ts'
import { get, post, type Ask } from '../../support/api/portalClient.ts'
import { makePosUser, makeVoucher } from '../../support/database/builders.ts'
import { newHoldKey, redeemHeld, testTill } from '../../support/redemptions/testTill.ts'
import { it, server } from '../../support/server/serverTest.ts'
import { recordedLog } from '../../support/server/silentLog.ts'
import type { TestServer } from '../../support/server/testServer.ts'

const TOKEN = 'a-token-for-prometheus-alone'
const PATH = '/api/metrics'

let ask: Ask
it.beforeAll(() => void (ask = askWith()))

/** Calls the server of this test with a metrics token and the changes in `given`. */
function askWith(given: Partial<TestServer['deps']> = {}): Ask {
  const app = createApp({ ...server.deps, settings: { ...server.deps.settings, metricsToken: TOKEN }, ...given })
  return (path, init) => app.request(path, init)
}

const scrape = async (from = ask) => (await from(PATH, { headers: { authorization: `Bearer ${TOKEN}` } })).text()

/** Returns the value of one line, found by its name and labels. */
const valueOf = (text: string, line: string) => {
  const found = text.split('\n').find((one) => one.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length))
}

it('is not there unless a token was configured', async () => {
  expect(await get(server.ask, PATH, TOKEN)).toMatchObject({ error: 'NOT_FOUND' })
})

it.each([
  ['no token', undefined, 'TOKEN_MISSING'],
  ['another token', `${TOKEN}x`, 'TOKEN_INVALID'],
])('tells nothing to whoever has %s', async (_, token, error) => {
  const refused = await get(ask, PATH, token)
  expect(refused).toMatchObject({ status: 401, error })
})

it('tells nothing to a session', async () => {
  const { token } = await testTill(ask, await makePosUser(server.database.db))
  expect(await get(ask, PATH, token)).toMatchObject({ status: 401, error: 'TOKEN_INVALID' })
})

it('counts requests, holds, redemptions and what they are worth, and names no voucher', async () => {
  const { db } = server.database
  const till = await testTill(ask, await makePosUser(db))
  const redeemed = await makeVoucher(db, { denominationCents: 500 })
  const kept = await makeVoucher(db)
  const key = newHoldKey()
  const before = await scrape()

  await till.verify(redeemed.serial, key)
  await till.hold(kept.serial)
  await redeemHeld(ask, key)
  await redeemHeld(ask, key)
  await till.verify(redeemed.serial, newHoldKey())

  const after = await scrape()
  const risen = (line: string) => (valueOf(after, line) ?? 0) - (valueOf(before, line) ?? 0)
  const requests = (route: string, status: number, error: string) =>
    risen(`portal_request_seconds_count{method="POST",route="${route}",status="${status}",error="${error}"}`)
  expect(risen('portal_holds_total')).toBe(2)
  expect(risen('portal_redemptions_total{replayed="false"}')).toBe(1)
  expect(risen('portal_redemptions_total{replayed="true"}')).toBe(1)
  expect(risen('portal_redeemed_cents_total')).toBe(500)
  expect(risen('portal_open_holds')).toBe(1)
  expect(requests('/till/sync', 200, 'none')).toBe(2)
  expect(requests('/voucher/verify', 200, 'none')).toBe(2)
  expect(requests('/voucher/verify', 409, 'VOUCHER_ALREADY_USED')).toBe(1)
  for (const secret of [redeemed.serial, kept.serial, key.id, till.token]) expect(after).not.toContain(secret)
})

it('tells how many mails wait, and for how long the oldest that is late, which an invitation is not before it was tried', async () => {
  const { clock, database } = server
  const mail = { to: 'a@test.example', kind: 'reset' as const, subject: 'S', text: 'T', html: 'H' }
  const soon = new Date(clock.now().getTime() + 3_600_000)
  await queueMail(database.db, { ...mail, kind: 'invitation', giveUpAt: soon }, clock.now())
  clock.advance({ seconds: 30 })
  await queueMail(database.db, { ...mail, giveUpAt: soon }, clock.now())
  clock.advance({ seconds: 90 })
  const text = await scrape()
  expect(valueOf(text, 'portal_outbox_mails')).toBe(2)
  expect(valueOf(text, 'portal_outbox_oldest_seconds')).toBe(90)
  const refused = (await claimMail(database.db, clock.now()))!
  await markMailRefused(database.db, refused.id, 'EMESSAGE DATA 554', clock.now())
  const later = await scrape()
  expect(['mails', 'oldest_seconds', 'refused'].map((name) => valueOf(later, `portal_outbox_${name}`))).toEqual([
    1, 0, 1,
  ])
  clock.advance({ hours: 1 })
  const last = await scrape()
  expect(['mails', 'refused'].map((name) => valueOf(last, `portal_outbox_${name}`))).toEqual([0, 0])
})

it('tells how far its clock is from that of the database, by which all servers can be compared', async () => {
  server.clock.set(new Date(Date.now() + 3_600_000))
  expect(valueOf(await scrape(), 'portal_clock_ahead_seconds')).toBeCloseTo(3_600, -1)
})

it('still answers while the database is away, says so, and leaves out what it cannot know', async () => {
  const select = () => {
    throw new DatabaseUnavailable('query')
  }
  const database = { ...server.database, db: { select } as never }
  const away = askWith({ database, metrics: metrics({ ...server.deps, database }) })
  const text = await scrape(away)
  expect(valueOf(text, 'portal_database_up')).toBe(0)
  expect(text).not.toMatch(/^portal_(outbox|open|clock)/m)
  expect(valueOf(await scrape(), 'portal_database_up')).toBe(1)
})

it('tells the connections of every pool', async () => {
  const text = await scrape()
  const pools = [...new Set(text.match(/(?<=^portal_database_connections\{pool=")\w+/gm))]
  expect(pools).toEqual(['portal', 'tenants', 'downloads'])
})

it('tells memory and the delay of the event loop of the process, in a form that Prometheus reads', async () => {
  const ofProcess = metrics(server.deps, { ofProcess: true })
  const response = await askWith({ metrics: ofProcess })(PATH, { headers: { authorization: `Bearer ${TOKEN}` } })
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  const text = await response.text()
  expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  expect(valueOf(text, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
  for (const line of text.trimEnd().split('\n')) expect(line).toMatch(LINE)
})

it('counts the time in which the event loop stood still, and no reader takes it from the next', async () => {
  const ofProcess = metrics(server.deps, { ofProcess: true })
  await sleep(100)
  const end = performance.now() + 400
  while (performance.now() < end);
  await sleep(100)
  for (const _ of ['Prometheus', 'a person with curl']) {
    expect(valueOf(await ofProcess.text(), 'portal_frozen_seconds_total')).toBeGreaterThan(0.3)
  }
})

/** Matches a comment, or a name with labels and a number: the exposition format, version 0.0.4. */
const LINE =
  /^(# (HELP|TYPE) [a-z_]\w* .+|[a-z_]\w*(\{([a-z_]\w*="(\\.|[^"\\])*",?)*\})? (-?\d+(\.\d+)?(e[+-]?\d+)?|Nan|[+-]Inf))?$/

it('counts and logs what went wrong on devices, as they tell it, and makes no series of invented codes', async () => {
  const log = recordedLog()
  const from = askWith({ log })
  const { token } = await testTill(from, await makePosUser(server.database.db))
  const trouble = { about: 'session', at: server.clock.now().toISOString() }
  const failed = crypto.randomUUID()
  const tell = (troubles: object[]) => post(from, '/api/device/troubles', { troubles }, token)
  const line = 'portal_device_troubles_total{about="session",code="TOKEN_REUSED"}'
  const before = valueOf(await scrape(from), line) ?? 0
  const told = await tell([
    { ...trouble, code: 'TOKEN_REUSED', times: 2, request_id: failed },
    { ...trouble, code: 'INVENTED_1', times: 1 },
  ])
  expect(told).toMatchObject({ status: 200, data: { noted: 2 } })
  const text = await scrape(from)
  expect(valueOf(text, line)).toBe(before + 2)
  expect(valueOf(text, 'portal_device_troubles_total{about="session",code="OTHER"}')).toBeGreaterThan(0)
  expect(text).not.toContain('INVENTED')
  const logged = log.events.find(({ event }) => event === 'device_trouble')
  expect(logged?.facts).toMatchObject({ about: 'session', code: 'TOKEN_REUSED', times: 2, failed_request: failed })

  expect(await tell([{ ...trouble, code: 'a serial 123', times: 1 }])).toMatchObject({ status: 422 })
  const many = Array.from({ length: 51 }, () => ({ ...trouble, code: 'TIMEOUT', times: 1 }))
  expect(await tell(many)).toMatchObject({ status: 422 })
})
