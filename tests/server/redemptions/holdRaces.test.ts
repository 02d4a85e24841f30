import { and, eq, isNull } from 'drizzle-orm'
import { describe, expect, vi } from 'vitest'
import { endHold, lockOpenHold } from '../../../server/db/redemptions/holds.ts'
import { branch as branchTable } from '../../../server/db/schema/organisations.ts'
import { hold } from '../../../server/db/schema/redemptions.ts'
import { voucher as voucherTable } from '../../../server/db/schema/vouchers.ts'
import { revokeVoucher } from '../../../server/services/vouchers/issueVouchers.ts'
import type { SyncOutcome } from '../../../src/contract/redemptions/sync.ts'
import { loggedInClient, type LoggedInClient } from '../../support/api/loggedInClient.ts'
import { logIn, type Reply } from '../../support/api/portalClient.ts'
import { makeMerchant, makePosUser, makeVoucher, type PosUser, type Voucher } from '../../support/database/builders.ts'
import { countWaiting, expectBalance, rowsOf, stored } from '../../support/redemptions/ledgerRows.ts'
import {
  askHeld,
  cancelHeld,
  newHoldKey,
  redeemHeld,
  syncRows,
  testTill,
  voidHeld,
  type HoldKey,
  type TestTill,
} from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

// These calls run at the same time, in no fixed order.

const ROUNDS = 12
const holdOf = async (id: string) => (await db().select().from(hold).where(eq(hold.id, id)))[0]!
const openHolds = (voucherId: string) => db().$count(hold, and(eq(hold.voucherId, voucherId), isNull(hold.became)))
const makeTill = async () => testTill(ask, await makePosUser(db()))
/** Repeats a call while it is answered with VOUCHER_BUSY, which changes nothing. */
async function settled<D>(call: () => Promise<Reply<D>>): Promise<Reply<D>> {
  for (;;) {
    const answer = await call()
    if (answer.error !== 'VOUCHER_BUSY') return answer
  }
}

interface Round {
  till: TestTill
  voucher: Voucher
  key: HoldKey
}

/** Runs the redemption of a held voucher against a call that ends the hold. Expects that one of them wins and that both are told which. */
async function expectOneWins({ voucher, key }: Round, end: () => Promise<unknown>, by: string): Promise<boolean> {
  const [redeemed] = await Promise.all([redeemHeld(ask, key), end()])
  const isRedeemed = redeemed.state === 'redeemed'
  expect(redeemed).toMatchObject(isRedeemed ? { receipt: { id: key.id } } : { state: 'ended', by })
  expect(await rowsOf(voucher.id)).toHaveLength(isRedeemed ? 1 : 0)
  expect(await holdOf(key.id)).toMatchObject({ became: isRedeemed ? 'redeemed' : by })
  expect((await askHeld(ask, key)).state).toBe(redeemed.state)
  expect(await stored(voucher.id)).toMatchObject({ status: isRedeemed ? 'Used' : 'Active' })
  return isRedeemed
}

const withoutReplay = (outcome: SyncOutcome) => JSON.stringify({ ...outcome, replayed: undefined })

describe('a held voucher', () => {
  it('VCH-04: uploaded a hundred times at once under one id gives one row and one receipt', async () => {
    const till = await makeTill()
    const { serial, id } = await makeVoucher(db())
    const key = await till.hold(serial)
    const told = await Promise.all(Array.from({ length: 100 }, () => redeemHeld(ask, key)))
    expect(told.filter((one) => one.state === 'redeemed' && !one.replayed)).toHaveLength(1)
    expect(new Set(told.map(withoutReplay)).size).toBe(1)
    expect(await rowsOf(id)).toHaveLength(1)
    await expectBalance()
  })

  it('is never held for a till that cancelled while its verify was on the way', async () => {
    const till = await makeTill()
    for (let round = 0; round < ROUNDS; round += 1) {
      const { serial, id } = await makeVoucher(db())
      const key = newHoldKey()
      const calls = [() => till.verify(serial, key), () => cancelHeld(ask, key)]
      await Promise.all((round % 2 ? calls : calls.toReversed()).map((call) => call()))
      expect(await openHolds(id)).toBe(0)
      expect(await holdOf(key.id)).toMatchObject({ became: 'cancelled' })
    }
  })

  it('is redeemed or cancelled, never both', async () => {
    const till = await makeTill()
    for (let round = 0; round < ROUNDS; round += 1) {
      const voucher = await makeVoucher(db())
      const key = await till.hold(voucher.serial)
      let cancelled: SyncOutcome | undefined
      const cancel = async () => void (cancelled = await cancelHeld(ask, key))
      const isRedeemed = await expectOneWins({ till, voucher, key }, cancel, 'cancelled')
      expect(cancelled?.state).toBe(isRedeemed ? 'redeemed' : 'ended')
    }
    await expectBalance()
  })

  it('is redeemed or released, never both', async () => {
    const merchant = await makeMerchant(db())
    const main = await loggedInClient(ask, merchant.main)
    const till = await testTill(ask, await makePosUser(db(), merchant))
    for (let round = 0; round < ROUNDS; round += 1) {
      const voucher = await makeVoucher(db())
      const key = await till.hold(voucher.serial)
      const since = (await holdOf(key.id)).since!.toISOString()
      let released: Reply | undefined
      const release = async () => void (released = await main.post('/voucher/release', { guid: voucher.id, since }))
      const isRedeemed = await expectOneWins({ till, voucher, key }, release, 'released by merchant')
      expect(released?.status).toBe(isRedeemed ? 409 : 200)
    }
    await expectBalance()
  })

  it('stays free once it was released, whatever verify of its till was still on the way', async () => {
    const merchant = await makeMerchant(db())
    const main = await loggedInClient(ask, merchant.main)
    const till = await testTill(ask, await makePosUser(db(), merchant))
    for (let round = 0; round < ROUNDS; round += 1) {
      const { serial, id } = await makeVoucher(db())
      const key = await till.hold(serial)
      const since = (await holdOf(key.id)).since!.toISOString()
      const again = Array.from({ length: 4 }, () => till.verify(serial, key))
      const [released] = await Promise.all([main.post('/voucher/release', { guid: id, since }), ...again])
      expect(released.status).toBe(200)
      expect(await openHolds(id)).toBe(0)
      expect(await holdOf(key.id)).toMatchObject({ became: 'released by merchant' })
    }
  })

  it('is not made a second time when it ends while its verify waits for the voucher', async () => {
    const till = await makeTill()
    const { serial, id } = await makeVoucher(db())
    const key = await till.hold(serial)
    const late = await db().transaction(async (tx) => {
      await tx.select().from(voucherTable).where(eq(voucherTable.id, id)).for('update')
      await lockOpenHold(tx, id)
      const asked = till.verify(serial, key)
      await vi.waitUntil(async () => (await countWaiting()) === 1)
      await endHold(tx, key.id, 'released by provider', server.clock.now())
      // Wrapped in an object: the transaction would await the promise itself, and it waits for the transaction.
      return { asked }
    })
    expect(await late.asked).toMatchObject({ error: 'HOLD_ENDED', data: { by: 'released by provider' } })
    expect(await openHolds(id)).toBe(0)
  })

  it('VCH-12: is redeemed or lost with its POS user or its branch, never half', async () => {
    for (let round = 0; round < ROUNDS / 2; round += 1) {
      const { main, cashier, till, branchId } = await makeCounter()
      const voucher = await makeVoucher(db())
      const key = await till.hold(voucher.serial)
      const path = round % 2 ? `/pos/${branchId}/deactivation/${cashier.id}` : `/branch/deactivation/${branchId}`
      const deactivate = async () => expect(await main.put(path)).toMatchObject({ status: 200 })
      await expectOneWins({ till, voucher, key }, deactivate, 'deactivated')
    }
    await expectBalance()
  })

  it('VCH-12: is not held for a POS user or a branch that is deactivated meanwhile', async () => {
    for (let round = 0; round < ROUNDS / 2; round += 1) {
      const { main, cashier, till, branchId } = await makeCounter()
      const vouchers = await Promise.all(Array.from({ length: 6 }, () => makeVoucher(db())))
      const path = round % 2 ? `/pos/${branchId}/deactivation/${cashier.id}` : `/branch/deactivation/${branchId}`
      const verified = vouchers.map(({ serial }) => till.verify(serial, newHoldKey()))
      const [deactivated, ...replies] = await Promise.all([main.put(path), ...verified])
      expect(deactivated.status).toBe(200)
      for (const { status } of replies) expect([200, 401]).toContain(status)
      for (const { id } of vouchers) expect(await openHolds(id)).toBe(0)
    }
  })

  it('VCH-12: is not held by a session that begins while its branch is deactivated, which has ended all that it saw', async () => {
    const { till, branchId } = await makeCounter()
    const voucher = await makeVoucher(db())
    const key = newHoldKey()
    let verifying: Promise<Reply> | undefined
    await db().transaction(async (tx) => {
      await tx.update(branchTable).set({ status: 'Inactive' }).where(eq(branchTable.id, branchId))
      verifying = till.verify(voucher.serial, key)
      let isAnswered = false
      const answered = () => (isAnswered = true)
      verifying.then(answered, answered)
      await vi.waitUntil(async () => isAnswered || (await countWaiting()) > 0, { timeout: 10_000 })
    })
    expect(await verifying).toMatchObject({ status: 401, error: 'SESSION_ENDED' })
    expect(await openHolds(voucher.id)).toBe(0)
  })

  it('past its 24 hours goes to the first to report, and the loser hears of it', async () => {
    const first = await makeTill()
    const vouchers = await Promise.all(Array.from({ length: ROUNDS }, () => makeVoucher(db())))
    const keys = []
    for (const { serial } of vouchers) keys.push(await first.hold(serial))
    server.clock.advance({ hours: 24 })
    const second = await makeTill()
    for (const [round, voucher] of vouchers.entries()) {
      const key = keys[round]!
      const take = () => settled(() => second.verify(voucher.serial, newHoldKey()))
      const [late, taken] = await Promise.all([redeemHeld(ask, key), take()])
      const isLate = late.state === 'redeemed'
      expect(taken).toMatchObject(isLate ? { status: 409, error: 'VOUCHER_ALREADY_USED' } : { status: 200 })
      expect(late).toMatchObject(isLate ? { receipt: { id: key.id } } : { state: 'ended', by: 'taken over' })
      expect(await rowsOf(voucher.id)).toHaveLength(isLate ? 1 : 0)
    }
    await expectBalance()
  })

  it('is held or revoked by the programme, never both', async () => {
    const till = await makeTill()
    for (let round = 0; round < ROUNDS; round += 1) {
      const { serial, id } = await makeVoucher(db())
      const revoked = revokeVoucher(server.deps, serial).catch(({ code }: { code: string }) => code)
      const [reply, did] = await Promise.all([till.verify(serial, newHoldKey()), revoked])
      const isHeld = reply.status === 200
      expect(isHeld ? did : reply.error).toBe(isHeld ? 'VOUCHER_HELD' : 'VOUCHER_REVOKED')
      expect(await openHolds(id)).toBe(isHeld ? 1 : 0)
    }
  })
})

describe('many rows of one call', () => {
  it('redeem each voucher once, in whatever order many calls name them', async () => {
    const tills = await Promise.all(Array.from({ length: 4 }, makeTill))
    const held = await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        const voucher = await makeVoucher(db())
        return { voucher, key: await tills[at % 4]!.hold(voucher.serial) }
      }),
    )
    const rows = held.map(({ key: { id, secret } }) => ({ became: 'redeemed', id, secret }))
    const orders = [rows, rows.toReversed(), rows.toSorted((one, other) => one.secret.localeCompare(other.secret))]
    const replies = await Promise.all([...orders, ...orders].map((order) => syncRows(ask, order)))
    const told = replies.flatMap(({ data }) => data.outcomes)
    expect(told.filter((one) => one.state === 'redeemed' && !one.replayed)).toHaveLength(rows.length)
    expect(told.every(({ state }) => state === 'redeemed')).toBe(true)
    for (const { voucher } of held) expect(await rowsOf(voucher.id)).toHaveLength(1)
    await expectBalance()
  })

  it('that say two things of one hold are judged by the first', async () => {
    const till = await makeTill()
    for (const [first, second, state] of [
      ['redeemed', 'cancelled', 'redeemed'],
      ['cancelled', 'redeemed', 'ended'],
    ] as const) {
      const key = await till.hold((await makeVoucher(db())).serial)
      const { data } = await syncRows(ask, [
        { became: first, ...key },
        { became: second, ...key },
      ])
      expect(data.outcomes.map((one) => one.state)).toEqual([state, state])
    }
    await expectBalance()
  })
})

describe('a redemption', () => {
  it('voided twice at once is voided once', async () => {
    const till = await makeTill()
    const { serial, id } = await makeVoucher(db())
    const key = await till.hold(serial)
    await redeemHeld(ask, key)
    const told = await Promise.all(Array.from({ length: 10 }, () => voidHeld(ask, key)))
    expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(told[0]).toMatchObject({ state: 'voided' })
    expect(await rowsOf(id)).toMatchObject([{ id: key.id }])
    await expectBalance()
  })

  it('is voided while others hold and redeem the voucher: none is lost, and at most one stands', async () => {
    const [till, other] = [await makeTill(), await makeTill()]
    for (let round = 0; round < ROUNDS; round += 1) {
      const { serial, id } = await makeVoucher(db())
      const key = await till.hold(serial)
      await redeemHeld(ask, key)
      const again = async () => {
        const mine = newHoldKey()
        const { status } = await settled(() => other.verify(serial, mine))
        return status === 200 && (await redeemHeld(ask, mine)).state === 'redeemed'
      }
      const [voided, ...won] = await Promise.all([voidHeld(ask, key), again(), again(), again()])
      expect(voided.state).toBe('voided')
      const live = (await rowsOf(id)).filter(({ voidedAt }) => voidedAt === null)
      expect(won.filter(Boolean)).toHaveLength(live.length)
      expect(live.length).toBeLessThanOrEqual(1)
    }
    await expectBalance()
  })
})

interface Counter {
  main: LoggedInClient
  cashier: PosUser
  till: TestTill
  branchId: string
}

async function makeCounter(): Promise<Counter> {
  const merchant = await makeMerchant(db())
  const cashier = await makePosUser(db(), merchant)
  const main = await loggedInClient(ask, merchant.main)
  return { main, cashier, till: await testTill(ask, cashier), branchId: merchant.branch.id }
}

it('a till that hears nothing asks again until it does, and has taken one voucher once', async () => {
  const user = await makePosUser(db())
  const till = await testTill(ask, user)
  const { serial, id } = await makeVoucher(db())
  const key = newHoldKey()
  // Each answer is lost. The cashier logs in again in between.
  await till.verify(serial, key)
  await till.verify(serial, key)
  await logIn(ask, user)
  await redeemHeld(ask, key)
  const again = await redeemHeld(ask, key)
  expect(again).toMatchObject({ state: 'redeemed', replayed: true, receipt: { id: key.id } })
  expect(await askHeld(ask, key)).toEqual(again)
  expect(await rowsOf(id)).toHaveLength(1)
})
