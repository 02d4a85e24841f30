import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { throttle } from '../../../server/db/schema/accounts.ts'
import { post, logIn, type Reply } from '../../support/api/portalClient.ts'
import { makeMerchant, makePosUser, makeSerial, makeVoucher, type Merchant } from '../../support/database/builders.ts'
import { newHoldKey, testTill, type TestTill } from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

const START = '2026-11-21T02:00:00.000Z'
const UNKNOWN = { status: 404, error: 'VOUCHER_UNKNOWN' }
const STOPPED = { status: 429, error: 'TOO_MANY_ATTEMPTS' }

let merchant: Merchant
beforeEach(async () => {
  server.clock.set(START)
  merchant = await makeMerchant(db())
})

const cashier = async () => testTill(ask, await makePosUser(db(), merchant))
const verify = (till: TestTill, serial: string) => till.verify(serial, newHoldKey())
const search = (token: string, serial: string) =>
  post<{ total: number }>(ask, '/api/voucher/datatable', { start: 0, limit: 10, search_str: serial }, token)

/** Sends 380 serials that do not exist and 20 that do, all at once. */
async function guess(ask400: (serial: string) => Promise<Reply>) {
  const real = await Promise.all(Array.from({ length: 20 }, async () => (await makeVoucher(db())).serial))
  const invented = Array.from({ length: 380 }, () => makeSerial())
  const answers = await Promise.all([...invented, ...real].map(ask400))
  return { misses: answers.slice(0, 380), hits: answers.slice(380) }
}

describe('VCH-10: four hundred serials at once', () => {
  it('verified tell of sixty, and of none after that', async () => {
    const till = await cashier()
    const { misses, hits } = await guess((serial) => verify(till, serial))
    expect(misses.filter(({ status }) => status === 404)).toHaveLength(60)
    for (const hit of hits) expect(hit).toMatchObject(STOPPED)
  })

  it('looked for in the table tell of sixty, and of none after that', async () => {
    const { token } = await logIn(ask, merchant.main)
    const { misses, hits } = await guess((serial) => search(token, serial))
    expect(misses.filter(({ status }) => status === 200)).toHaveLength(60)
    for (const hit of hits) expect(hit).toMatchObject(STOPPED)
  })
})

describe('VCH-10: the same number that does not exist, again and again', () => {
  /** A serial like the code on goods that a shop weighs and labels itself. */
  const LABEL = '2112345012346'

  it('counts once, in whatever way and by whomever it is asked for, and keeps no good voucher from being checked', async () => {
    const [till, beside] = [await cashier(), await cashier()]
    const { token } = await logIn(ask, merchant.main)
    for (let times = 0; times < 75; times += 1) expect(await verify(till, LABEL)).toMatchObject(UNKNOWN)
    expect(await verify(beside, LABEL)).toMatchObject(UNKNOWN)
    expect(await search(token, LABEL)).toMatchObject({ status: 200, data: { total: 0 } })
    expect((await verify(till, (await makeVoucher(db())).serial)).status).toBe(200)
    for (let others = 0; others < 59; others += 1) expect(await verify(till, makeSerial())).toMatchObject(UNKNOWN)
    expect(await verify(till, makeSerial())).toMatchObject(STOPPED)
    expect(await verify(till, LABEL)).toMatchObject(STOPPED)
  })

  it('counts anew a day later, and for another organisation', async () => {
    const countOf = async (userId: string) =>
      (
        await db()
          .select()
          .from(throttle)
          .where(eq(throttle.key, `serial:${userId}`))
      )[0]?.failures
    const user = await makePosUser(db(), merchant)
    await verify(await testTill(ask, user), LABEL)
    server.clock.advance({ hours: 24, seconds: 1 })
    await verify(await testTill(ask, user), LABEL)
    expect(await countOf(user.id)).toBe(1)
    const other = await makePosUser(db())
    await verify(await testTill(ask, other), LABEL)
    expect(await countOf(other.id)).toBe(1)
    await verify(await testTill(ask, user), LABEL)
    expect(await countOf(user.id)).toBe(1)
  })
})

describe('VCH-10: unknown serials', () => {
  it('counts them in the metrics, whoever asks', async () => {
    const count = async () =>
      Number(/^portal_unknown_serials_total (\d+)$/m.exec(await server.deps.metrics.text())?.[1] ?? 0)
    const before = await count()
    await verify(await cashier(), makeSerial())
    await search((await logIn(ask, merchant.main)).token, makeSerial())
    expect(await count()).toBe(before + 2)
  })
})
