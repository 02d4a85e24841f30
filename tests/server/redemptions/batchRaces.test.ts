import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { describe, expect, vi } from 'vitest'
import { hold } from '../../../server/db/schema/redemptions.ts'
import { voucher as voucherTable } from '../../../server/db/schema/vouchers.ts'
import { revokeVoucher } from '../../../server/services/vouchers/issueVouchers.ts'
import { countByStatus, loggedInClient } from '../../support/api/loggedInClient.ts'
import type { Reply } from '../../support/api/portalClient.ts'
import { makeMerchant, makePosUser, makeVoucher, type Merchant } from '../../support/database/builders.ts'
import { sentStatements } from '../../support/database/sentStatements.ts'
import { countWaiting, expectBalance, rowsOf } from '../../support/redemptions/ledgerRows.ts'
import {
  askHeld,
  cancelHeld,
  newHoldKey,
  redeemHeld,
  syncRows,
  testTill,
  verifyAt,
  voidHeld,
  type HoldKey,
  type TestTill,
} from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

// Calls that arrive together are judged by one statement, and each row as if it had arrived alone.

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
const makeTill = async (merchant?: Merchant) => testTill(ask, await makePosUser(db(), merchant))
const makeTills = (count: number, merchant?: Merchant) => Promise.all(times(count, () => makeTill(merchant)))
const makeVouchers = (count: number) => Promise.all(times(count, () => makeVoucher(db())))
const openHolds = (ids: string[]) => db().$count(hold, and(inArray(hold.voucherId, ids), isNull(hold.became)))
const untilWaiting = (count: number) => vi.waitUntil(async () => (await countWaiting()) === count, { timeout: 10_000 })

/** Sends `calls` in one batch: two locked holds keep both batches busy until all of `calls` wait for the next one. */
async function inOneBatch<T>(name: 'hold' | 'settle', calls: (() => Promise<T>)[]): Promise<T[]> {
  const gates = await makeTills(2)
  const vouchers = await makeVouchers(2)
  const keys = name === 'settle' ? await Promise.all(gates.map((gate, n) => gate.hold(vouchers[n]!.serial))) : []
  const asked = vi.spyOn(server.deps.batches[name], 'ask')
  let answers: Promise<T[]> | undefined
  const sent = await sentStatements(async () => {
    const { opened } = await db().transaction(async (tx) => {
      const ids = vouchers.map(({ id }) => id)
      await tx.select().from(voucherTable).where(inArray(voucherTable.id, ids)).for('update')
      const pass = (n: number): Promise<unknown> =>
        name === 'settle' ? askHeld(ask, keys[n]!) : gates[n]!.hold(vouchers[n]!.serial)
      const opened = [pass(0)]
      await untilWaiting(1)
      opened.push(pass(1))
      await untilWaiting(2)
      answers = Promise.all(calls.map((call) => call()))
      await vi.waitUntil(() => asked.mock.calls.length >= 2 + calls.length, { timeout: 10_000 })
      // Wrapped in an object: the transaction would await the promises themselves, and they wait for the transaction.
      return { opened }
    })
    await Promise.all(opened)
    await answers
  })
  asked.mockRestore()
  const sizes = sent.filter((one) => one.name === name).map(({ values }) => (values[0] as unknown[]).length)
  expect(sizes.slice(0, 3), 'all in one statement').toEqual([1, 1, calls.length])
  return answers!
}

const told = (key: HoldKey, became: string) => async () => (await syncRows(ask, [{ became, ...key }])).data.outcomes[0]!

describe('checks of one batch', () => {
  it('of one voucher by many tills: one holds it, and the others are told by whom', async () => {
    const merchant = await makeMerchant(db())
    const tills = await makeTills(20, merchant)
    const { serial, id } = await makeVoucher(db())
    const keys = times(20, newHoldKey)
    const replies = await inOneBatch(
      'hold',
      tills.map((till, n) => () => till.verify(serial, keys[n]!)),
    )
    expect(countByStatus(replies)).toEqual({ 200: 1, '409 VOUCHER_HELD': 19 })
    const refused = replies.filter(({ status }) => status === 409)
    for (const { data } of refused) expect(data).toMatchObject({ till: 'Till 2' })
    const outcomes = await Promise.all(keys.map((key) => redeemHeld(ask, key)))
    expect(outcomes.map(({ state }) => state === 'redeemed')).toEqual(replies.map(({ status }) => status === 200))
    expect(await rowsOf(id)).toHaveLength(1)
    await expectBalance()
  })

  it('of many vouchers are judged each by itself: what is used, unknown or of a dead session keeps no other', async () => {
    const [good, used] = await makeVouchers(2)
    await redeemHeld(ask, await (await makeTill()).hold(used!.serial))
    const revoked = await makeVoucher(db(), { status: 'Revoked' })
    const user = await makePosUser(db())
    const dead = await testTill(ask, user)
    await testTill(ask, user)
    const [one, two, three, four] = await makeTills(4)
    const unknown = await makeVoucher(db())
    await db().delete(voucherTable).where(eq(voucherTable.id, unknown.id))
    const replies = await inOneBatch<Reply>('hold', [
      () => one!.verify(used!.serial, newHoldKey()),
      () => dead.verify(good!.serial, newHoldKey()),
      () => two!.verify(unknown.serial, newHoldKey()),
      () => three!.verify(good!.serial, newHoldKey()),
      () => four!.verify(revoked.serial, newHoldKey()),
    ])
    expect(replies.map(({ status, error }) => error ?? status)).toEqual([
      'VOUCHER_ALREADY_USED',
      'SESSION_TERMINATED',
      'VOUCHER_UNKNOWN',
      200,
      'VOUCHER_REVOKED',
    ])
  })

  it('by one id for many vouchers: one is held, and nobody else is told that theirs is', async () => {
    const tills = await makeTills(5)
    const vouchers = await makeVouchers(5)
    const key = newHoldKey()
    const replies = await inOneBatch(
      'hold',
      tills.map((till, n) => () => till.verify(vouchers[n]!.serial, key)),
    )
    expect(countByStatus(replies)).toEqual({ 200: 1, '422 IDEMPOTENCY_KEY_REUSED': 4 })
    expect(await openHolds(vouchers.map(({ id }) => id))).toBe(1)
    const { serial } = vouchers[replies.findIndex(({ status }) => status === 200)]!
    expect(await redeemHeld(ask, key)).toMatchObject({ state: 'redeemed', receipt: { serial } })
  })

  it('by one id for one voucher, by whatever cashiers of a till: all are told of the same hold', async () => {
    const merchant = await makeMerchant(db())
    const tills = await makeTills(5, merchant)
    const { serial } = await makeVoucher(db())
    const key = newHoldKey()
    const replies = await inOneBatch(
      'hold',
      tills.map(
        ({ token }) =>
          () =>
            verifyAt({ ask, token, till: tills[0]!.id }, serial, key),
      ),
    )
    expect(countByStatus(replies)).toEqual({ 200: 5 })
    expect(new Set(replies.map(({ data }) => JSON.stringify(data))).size).toBe(1)
  })

  it('by twenty cashiers at one till: fifteen are held, and no more', async () => {
    const merchant = await makeMerchant(db())
    const tills = await makeTills(20, merchant)
    const vouchers = await makeVouchers(20)
    const replies = await inOneBatch(
      'hold',
      tills.map(
        ({ token }, n) =>
          () =>
            verifyAt({ ask, token, till: tills[0]!.id }, vouchers[n]!.serial, newHoldKey()),
      ),
    )
    expect(countByStatus(replies)).toEqual({ 200: 15, '409 HOLD_LIMIT': 5 })
  })

  it('of a voucher whose 24 hours are over: one takes it over, and its till is told', async () => {
    const { serial, id } = await makeVoucher(db())
    const late = await (await makeTill()).hold(serial)
    server.clock.advance({ hours: 24 })
    const tills = await makeTills(5)
    const replies = await inOneBatch(
      'hold',
      tills.map((till) => () => till.verify(serial, newHoldKey())),
    )
    expect(countByStatus(replies)).toEqual({ 200: 1, '409 VOUCHER_HELD': 4 })
    expect(await openHolds([id])).toBe(1)
    expect(await redeemHeld(ask, late)).toMatchObject({ state: 'ended', by: 'taken over' })
    await expectBalance()
  })
})

describe('rows of one batch about one hold', () => {
  it.each([
    ['redeemed', 'cancelled', 'redeemed'],
    ['cancelled', 'redeemed', 'ended'],
  ] as const)('%s, and then %s: the first wins, and both hear the same', async (first, second, state) => {
    const { serial, id } = await makeVoucher(db())
    const key = await (await makeTill()).hold(serial)
    const stranger = { ...newHoldKey(), id: key.id }
    const rows = [told(stranger, second), told(key, 'asking'), told(key, first), told(key, second), told(key, first)]
    const outcomes = await inOneBatch('settle', rows)
    expect(outcomes.map((one) => one.state)).toEqual(['unknown', state, state, state, state])
    const news = outcomes.filter((one) => one.state === 'redeemed' && !one.replayed)
    expect(news).toHaveLength(state === 'redeemed' ? 1 : 0)
    expect(await rowsOf(id)).toHaveLength(news.length)
    await expectBalance()
  })
})

/** Starts two calls at the same moment. In every other round the second one goes first. */
async function race<A, B>(round: number, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> {
  if (round % 2 === 0) return Promise.all([one(), other()])
  const second = other()
  return [await one(), await second]
}

const ROUNDS = 12

describe('in the same moment', () => {
  it('a voucher is held for a new till or stays released: it never keeps its old hold, nor gets two', async () => {
    const merchant = await makeMerchant(db())
    const main = await loggedInClient(ask, merchant.main)
    const [till, next] = [await makeTill(merchant), await makeTill()]
    for (let round = 0; round < ROUNDS; round += 1) {
      const { serial, id } = await makeVoucher(db())
      const [key, other] = [await till.hold(serial), newHoldKey()]
      const since = server.clock.now().toISOString()
      const [released, checked] = await race(
        round,
        () => main.post('/voucher/release', { guid: id, since }),
        () => next.verify(serial, other),
      )
      expect(released.status).toBe(200)
      expect(await askHeld(ask, key)).toMatchObject({ state: 'ended', by: 'released by merchant' })
      expect(checked.error ?? 'held').toMatch(/^(held|VOUCHER_HELD)$/)
      expect(await openHolds([id])).toBe(checked.status === 200 ? 1 : 0)
    }
  })

  it('a row that redeems many holds and a release or revocation of each end every hold once', async () => {
    const merchant = await makeMerchant(db())
    const main = await loggedInClient(ask, merchant.main)
    const till = await makeTill(merchant)
    for (let round = 0; round < ROUNDS / 3; round += 1) {
      const vouchers = await makeVouchers(8)
      const keys: HoldKey[] = []
      for (const { serial } of vouchers) keys.push(await till.hold(serial))
      const since = server.clock.now().toISOString()
      const rows = keys.map(({ id, secret }) => ({ became: 'redeemed', id, secret })).toReversed()
      const [settled, ended] = await race(
        round,
        () => syncRows(ask, rows),
        () =>
          Promise.all(
            vouchers.map(({ id, serial }, n) =>
              n % 2
                ? revokeVoucher(server.deps, serial).catch(({ code }: { code: string }) => code)
                : main.post('/voucher/release', { guid: id, since }),
            ),
          ),
      )
      const isRedeemed = settled.data.outcomes.map(({ state }) => state === 'redeemed').toReversed()
      const counted = await Promise.all(vouchers.map(async ({ id }) => (await rowsOf(id)).length))
      expect(counted).toEqual(isRedeemed.map(Number))
      const ways = ended.map((one) => (typeof one === 'object' ? one.status : one))
      const released = ways.filter((_, n) => n % 2 === 0)
      expect(released).toEqual(isRedeemed.filter((_, n) => n % 2 === 0).map((won) => (won ? 409 : 200)))
      // A held voucher cannot be revoked, and a redeemed one cannot either.
      expect(isRedeemed.filter((_, n) => n % 2)).toEqual(times(4, () => true))
      const revoked = ways.filter((_, n) => n % 2)
      for (const refusal of revoked) expect(refusal).toMatch(/^VOUCHER_(HELD|ALREADY_USED)$/)
    }
    await expectBalance()
  })

  it('a branch is deactivated, its tills settle what they hold, and others take over what is past its time: nobody waits for ever', async () => {
    for (let round = 0; round < ROUNDS / 3; round += 1) {
      const merchant = await makeMerchant(db())
      const till = await makeTill(merchant)
      const vouchers = await makeVouchers(9)
      const keys: HoldKey[] = []
      for (const { serial } of vouchers) keys.push(await till.hold(serial))
      server.clock.advance({ hours: 24 })
      const main = await loggedInClient(ask, merchant.main)
      const others = await makeTills(3)
      const takes = () =>
        Promise.all(vouchers.slice(3).map(({ serial }, n) => others[n % 3]!.verify(serial, newHoldKey())))
      const deactivates = () => main.put(`/branch/deactivation/${merchant.branch.id}`)
      const settles = () =>
        syncRows(
          ask,
          keys
            .slice(0, 6)
            .map(({ id, secret }) => ({ became: 'redeemed', id, secret }))
            .toReversed(),
        )
      const [deactivated, [settled, taken]] = await race(round, deactivates, () => race(round, settles, takes))
      expect(deactivated.status, 'also where somebody else was in its way').toBe(200)
      const states = settled.data.outcomes.map(({ state }) => state).toReversed()
      for (const state of states) expect(state).toMatch(/^(redeemed|ended)$/)
      const takings = taken.map(({ error = 'held' }) => error)
      for (const taking of takings) expect(taking).toMatch(/^(held|VOUCHER_ALREADY_USED)$/)
      const both = takings.slice(0, 3)
      expect(states.slice(3), 'of what both wanted').toEqual(
        both.map((taking) => (taking === 'held' ? 'ended' : 'redeemed')),
      )
      for (const key of keys) {
        const now = await askHeld(ask, key)
        expect(now.state === 'ended' ? now.by : now.state).toMatch(/^(redeemed|deactivated|taken over)$/)
      }
    }
    await expectBalance()
  })

  it('holds past their time are taken over in the order of their vouchers, as a branch ends them that is deactivated', async () => {
    const holder = await makeTill()
    const vouchers = (await makeVouchers(2)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const [first, second] = vouchers as [(typeof vouchers)[0], (typeof vouchers)[0]]
    const keys = [await holder.hold(first.serial), await holder.hold(second.serial)] as const
    server.clock.advance({ hours: 24 })
    // The rows of a batch are judged till by till.
    const [one, other] = (await makeTills(2)).toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [TestTill, TestTill]
    const { taking } = await db().transaction(async (tx) => {
      const lock = (id: string) => tx.execute(sql`SELECT FROM hold WHERE id = ${id} FOR NO KEY UPDATE NOWAIT`)
      await lock(keys[0].id)
      const taking = inOneBatch('hold', [() => one.hold(second.serial), () => other.hold(first.serial)])
      await vi.waitUntil(async () => {
        const blocked = sql`SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`
        return ((await tx.execute(blocked)) as { rows: unknown[] }).rows.length > 0
      })
      await lock(keys[1].id)
      return { taking }
    })
    await taking
    for (const key of keys) expect(await askHeld(ask, key)).toMatchObject({ state: 'ended', by: 'taken over' })
  })

  it('a voucher is held, settled, voided and held again by many tills, and is never worth more than once', async () => {
    const tills = await makeTills(6)
    const vouchers = await makeVouchers(4)
    const receipts: string[] = []
    const told: string[] = []
    const work = async (till: TestTill, seed: number) => {
      for (let step = 0; step < 12; step += 1) {
        const key = newHoldKey()
        const { serial } = vouchers[(seed + step) % vouchers.length]!
        const ways = [[cancelHeld], [redeemHeld, voidHeld], [redeemHeld]][(seed + step) % 3]!
        if ((await till.verify(serial, key)).status !== 200) continue
        const outcomes = []
        for (const way of ways) outcomes.push((await way(ask, key)).state)
        told.push(outcomes.join(', '))
        if (outcomes.at(-1) === 'redeemed') receipts.push(key.id)
      }
    }
    await Promise.all(tills.map(work))
    expect(new Set(told)).toEqual(new Set(['ended', 'redeemed, voided', 'redeemed']))
    const rows = (await Promise.all(vouchers.map(({ id }) => rowsOf(id)))).flat()
    const live = rows.filter(({ voidedAt }) => voidedAt === null)
    expect(live.map(({ id }) => id).toSorted()).toEqual(receipts.toSorted())
    expect(new Set(live.map(({ voucherId }) => voucherId)).size).toBe(live.length)
    await expectBalance()
  })
})
