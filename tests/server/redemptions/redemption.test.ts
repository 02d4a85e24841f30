import { eq, inArray } from 'drizzle-orm'
import { describe, expect, vi } from 'vitest'
import { endSession } from '../../../server/db/accounts/sessions.ts'
import type { Statement } from '../../../server/db/engine/Database.ts'
import { ledgerCheck } from '../../../server/db/redemptions/ledger.ts'
import { appUser, branch } from '../../../server/db/schema/organisations.ts'
import { hold, redemption } from '../../../server/db/schema/redemptions.ts'
import { readClaims } from '../../../src/domain/accounts/sessions.ts'
import { post, signIn } from '../../support/api/portalClient.ts'
import { countByStatus } from '../../support/api/signedInClient.ts'
import { makeMerchant, makePosUser, makeSerial, makeUser, makeVoucher } from '../../support/database/builders.ts'
import {
  askHeld,
  newHoldKey,
  redeemHeld,
  syncRows,
  testTill,
  verifyAt,
  type TestTill,
} from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

const makeTill = async (user?: Awaited<ReturnType<typeof makePosUser>>) => {
  const cashier = user ?? (await makePosUser(db()))
  return { cashier, ...(await testTill(ask, cashier)) }
}
/** From its check to its receipt; the refusal of its check, where there is one. */
async function redeem(till: TestTill, serial: string) {
  const key = newHoldKey()
  const checked = await till.verify(serial, key)
  return checked.status === 200 ? redeemHeld(ask, key) : checked
}
const check = (till: TestTill, serial = makeSerial()) => till.verify(serial, newHoldKey())
const rowsOf = (voucherId: string) => db().select().from(redemption).where(eq(redemption.voucherId, voucherId))
const holdsOf = (voucherIds: string[]) => db().$count(hold, inArray(hold.voucherId, voucherIds))
const expectBalance = async () => expect(await ledgerCheck(server.database)).toMatchObject({ balanced: true })
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

describe('redeeming a voucher', () => {
  it('gives a receipt and writes one ledger row; the serial may come as printed, with spaces', async () => {
    const till = await makeTill()
    const voucher = await makeVoucher(db(), { denominationCents: 500, expiresOn: '2026-11-21' })
    const { serial } = voucher
    const key = newHoldKey()
    await till.verify(`${serial.slice(0, 1)} ${serial.slice(1, 7)} ${serial.slice(7)}`, key)
    const redeemed = await redeemHeld(ask, key)
    expect(redeemed).toMatchObject({
      state: 'redeemed',
      receipt: {
        id: key.id,
        serial,
        denomination_cents: 500,
        expires_on: '2026-11-21',
        receipt_number: expect.stringMatching(/^R-\d{6,}$/) as string,
        pos_username: till.cashier.loginName,
        branch_name: till.cashier.branch.name,
        redeemed_at: server.clock.now().toISOString(),
      },
    })
    expect(await rowsOf(voucher.id)).toMatchObject([{ id: key.id, amountCents: 500, branchId: till.cashier.branch.id }])
    await expectBalance()
  })

  it('successes never count', async () => {
    const till = await makeTill()
    for (let done = 0; done < 65; done += 1) {
      expect(await redeem(till, (await makeVoucher(db())).serial)).toMatchObject({ state: 'redeemed' })
    }
  })
})

const LAST_DAY = { expiresOn: '2026-11-21' }

describe('refusing', () => {
  it.each([
    ['a used voucher', 'VOUCHER_ALREADY_USED', {}],
    ['a revoked voucher', 'VOUCHER_REVOKED', { status: 'Revoked' }],
    ['a voucher that expired yesterday', 'VOUCHER_EXPIRED', { expiresOn: '2026-11-20' }],
  ] as const)('%s answers 409 %s, tells what it was worth, and holds nothing', async (_, error, given) => {
    server.clock.set('2026-11-21T02:00:00Z')
    const till = await makeTill()
    const voucher = await makeVoucher(db(), given)
    if (error === 'VOUCHER_ALREADY_USED') await redeem(await makeTill(), voucher.serial)
    const before = await holdsOf([voucher.id])
    const data = { denomination_cents: voucher.denominationCents, expires_on: voucher.expiresOn }
    expect(await redeem(till, voucher.serial)).toMatchObject({ status: 409, error, data })
    expect(await holdsOf([voucher.id])).toBe(before)
    await expectBalance()
  })

  it('a voucher can be used through its whole last Singapore day, and not after', async () => {
    const [early, late] = [await makeVoucher(db(), LAST_DAY), await makeVoucher(db(), LAST_DAY)]
    server.clock.set('2026-11-21T15:59:59.999Z')
    expect(await redeem(await makeTill(), early.serial)).toMatchObject({ state: 'redeemed' })
    server.clock.set('2026-11-21T16:00:00.000Z')
    expect(await redeem(await makeTill(), late.serial)).toMatchObject({ error: 'VOUCHER_EXPIRED' })
    server.clock.set('2026-11-21T02:00:00Z')
  })

  it('VCH-10: an unknown serial is 404, and the 61st of a minute is 429 until the minute is over', async () => {
    const till = await makeTill()
    const { serial } = await makeVoucher(db())
    for (let tries = 0; tries < 60; tries += 1) {
      expect(await check(till)).toMatchObject({ status: 404, error: 'VOUCHER_UNKNOWN' })
    }
    const blocked = await check(till)
    expect(blocked).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' })
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0)
    // A hit must not tell itself from a miss while guessing is stopped.
    expect(await check(till, serial)).toMatchObject({ status: 429 })
    expect(await check(await makeTill(await makePosUser(db(), till.cashier)))).toMatchObject({ status: 404 })
    server.clock.advance({ seconds: 61 })
    expect(await check(till, serial)).toMatchObject({ status: 200 })
  })

  it('VCH-05 and VCH-06: a check without the id of its hold, with nonsense in it or half a serial is 422, and uses no id up', async () => {
    const till = await makeTill()
    const { serial, id } = await makeVoucher(db())
    const refused = { status: 422, error: 'VALIDATION_FAILED' }
    for (const bad of ['', 'again', 'x'.repeat(256)]) {
      expect(await till.verify(serial, { ...newHoldKey(), id: bad })).toMatchObject(refused)
    }
    expect(await post(ask, '/api/voucher/verify', { serial }, till.token)).toMatchObject(refused)
    expect(await holdsOf([id])).toBe(0)
    const key = newHoldKey()
    expect(await till.verify(serial.slice(1), key)).toMatchObject(refused)
    expect(await till.verify(serial, key)).toMatchObject({ status: 200, data: { hold: { id: key.id } } })
  })

  it('VCH-08: an amount, a date or a merchant of the client’s choice is not taken, and takes nothing', async () => {
    const till = await makeTill()
    const { serial, id } = await makeVoucher(db())
    const wishes = { denomination: 9_999, date_used: '2020-01-01', merchant_guid: id, branch_guid: id }
    for (const [field, value] of Object.entries(wishes)) {
      const wished = await till.verify(serial, newHoldKey(), { [field]: value })
      expect(wished).toMatchObject({ status: 422, error: 'VALIDATION_FAILED' })
    }
    const key = await till.hold(serial)
    const rows = Object.entries(wishes).map(([field, value]) => ({ became: 'redeemed', ...key, [field]: value }))
    const { data } = await syncRows(ask, rows)
    expect(data.outcomes.map(({ state }) => state)).toEqual(rows.map(() => 'later'))
    expect(await askHeld(ask, key)).toMatchObject({ state: 'held' })
    expect(await rowsOf(id)).toEqual([])
  })

  it('a merchant account is 403', async () => {
    const { main, organisation, branch: at } = await makeMerchant(db())
    const cashier = await makeUser(db(), 'Branch Merchant', { organisation, branch: at })
    const { serial } = await makeVoucher(db())
    const till = await makeTill()
    for (const user of [main, cashier]) {
      const { token } = await signIn(ask, user)
      expect(await verifyAt(ask, token, till.id, serial, newHoldKey())).toMatchObject({
        status: 403,
        error: 'FORBIDDEN',
      })
    }
  })

  it('a till whose session ended, or whose user or branch was deactivated, is 401 and holds nothing', async () => {
    const ended = await makeTill()
    await endSession(db(), readClaims(ended.token)!.sid, 'deactivated', server.clock.now())
    const user = await makeTill()
    await db().update(appUser).set({ status: 'Inactive' }).where(eq(appUser.id, user.cashier.id))
    const closed = await makeTill()
    await db().update(branch).set({ status: 'Inactive' }).where(eq(branch.id, closed.cashier.branch.id))
    const { serial, id } = await makeVoucher(db())
    expect(await check(ended, serial)).toMatchObject({ status: 401, error: 'SESSION_ENDED' })
    for (const till of [user, closed]) expect([401, 403]).toContain((await check(till, serial)).status)
    expect(await holdsOf([id])).toBe(0)
  })

  it('a till that signed in elsewhere is told so', async () => {
    const till = await makeTill()
    await signIn(ask, till.cashier)
    const { serial } = await makeVoucher(db())
    expect(await check(till, serial)).toMatchObject({ status: 401, error: 'SESSION_TERMINATED' })
  })
})

describe('races', () => {
  it('VCH-01: 100 tills at once on one voucher: exactly one gets it', async () => {
    const tills = await Promise.all(times(10, () => makeTill()))
    const voucher = await makeVoucher(db())
    const keys = times(100, newHoldKey)
    const replies = await Promise.all(keys.map((key, i) => tills[i % 10]!.verify(voucher.serial, key)))
    expect(countByStatus(replies)).toEqual({ 200: 1, '409 VOUCHER_HELD': 99 })
    const told = await Promise.all(keys.map((key) => redeemHeld(ask, key)))
    expect(told.map(({ state }) => state === 'redeemed')).toEqual(replies.map(({ status }) => status === 200))
    expect(await rowsOf(voucher.id)).toHaveLength(1)
    await expectBalance()
  })

  it('one id on many vouchers at once, at many tills, holds one of them', async () => {
    const tills = await Promise.all(times(5, () => makeTill()))
    const vouchers = await Promise.all(times(20, () => makeVoucher(db())))
    const key = newHoldKey()
    const replies = await Promise.all(vouchers.map(({ serial }, i) => tills[i % 5]!.verify(serial, key)))
    expect(countByStatus(replies)).toEqual({ 200: 1, '422 IDEMPOTENCY_KEY_REUSED': 19 })
    expect(await holdsOf(vouchers.map(({ id }) => id))).toBe(1)
    const won = vouchers[replies.findIndex(({ status }) => status === 200)]!
    expect(await redeemHeld(ask, key)).toMatchObject({ state: 'redeemed', receipt: { serial: won.serial } })
    await expectBalance()
  })

  it('a session ending in the middle leaves nothing half done', async () => {
    const till = await makeTill()
    const vouchers = await Promise.all(times(12, () => makeVoucher(db())))
    const [, ...replies] = await Promise.all([
      signIn(ask, till.cashier),
      ...vouchers.map(({ serial }) => check(till, serial)),
    ])
    const { '200': won = 0, '401 SESSION_TERMINATED': refused = 0, ...others } = countByStatus(replies)
    expect({ others, all: won + refused }).toEqual({ others: {}, all: vouchers.length })
    expect(await holdsOf(vouchers.map(({ id }) => id))).toBe(won)
  })
})

const WAITING: Statement<[], { count: number }> = {
  name: 'waiting_for_locks',
  text: `SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
}

it('VCH-12: a check waits for a session that is just being ended, and then holds nothing', async () => {
  const till = await makeTill()
  const { serial, id } = await makeVoucher(db())
  const late = await db().transaction(async (tx) => {
    await endSession(tx, readClaims(till.token)!.sid, 'deactivated', server.clock.now())
    const asked = check(till, serial)
    await vi.waitUntil(async () => (await server.database.run(WAITING, []))[0]!.count > 0)
    // In an object, or the transaction would wait for what waits for it.
    return { asked }
  })
  expect(await late.asked).toMatchObject({ status: 401, error: 'SESSION_ENDED' })
  expect(await holdsOf([id])).toBe(0)
})

describe('the ledger', () => {
  it('refuses to forget or change a row, and lets it be voided once', async () => {
    const till = await makeTill()
    const key = await till.hold((await makeVoucher(db())).serial)
    await redeemHeld(ask, key)
    const row = eq(redemption.id, key.id)
    const update = (change: object) => db().update(redemption).set(change).where(row)
    const refuses = (words: string) => ({ cause: { message: words } })
    await expect(db().delete(redemption).where(row)).rejects.toMatchObject(refuses('a ledger row is never deleted'))
    const voided = { voidedAt: server.clock.now(), voidedBy: till.cashier.id }
    for (const change of [{ amountCents: 1 }, { ...voided, amountCents: 1 }]) {
      const words = 'only the void columns of a ledger row can be set'
      await expect(update(change)).rejects.toMatchObject(refuses(words))
    }
    await update(voided)
    await expect(update({ voidedAt: new Date(0) })).rejects.toMatchObject(refuses('a ledger row is voided once'))
  })

  it('VCH-13: is found out of balance when a voucher is used without a row', async () => {
    const { cashier } = await makeTill()
    const before = await ledgerCheck(server.database)
    await makeVoucher(db(), {
      status: 'Used',
      usedAt: server.clock.now(),
      organisationId: cashier.organisation.id,
      branchId: cashier.branch.id,
    })
    const used_without_row = before.used_without_row + 1
    expect(await ledgerCheck(server.database)).toMatchObject({ balanced: false, used_without_row })
  })
})
