import { eq } from 'drizzle-orm'
import { describe, expect, vi } from 'vitest'
import { endSession } from '../../../server/db/accounts/sessions.ts'
import { ledgerCheck } from '../../../server/db/redemptions/ledger.ts'
import { appUser, branch } from '../../../server/db/schema/organisations.ts'
import { redemption } from '../../../server/db/schema/redemptions.ts'
import { readClaims } from '../../../src/domain/accounts/sessions.ts'
import { post, logIn } from '../../support/api/portalClient.ts'
import { makeMerchant, makePosUser, makeSerial, makeUser, makeVoucher } from '../../support/database/builders.ts'
import { countWaiting, expectBalance, rowsOf } from '../../support/redemptions/ledgerRows.ts'
import {
  newHoldKey,
  redeemHeld,
  syncRows,
  testTill,
  verifyAt,
  type TestTill,
} from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

/** Checks a voucher at a till and redeems it. Returns the answer of the check if that made no hold. */
async function redeem(till: TestTill, serial: string, key = newHoldKey()) {
  const checked = await till.verify(serial, key)
  return checked.status === 200 ? { ...checked, outcome: await redeemHeld(ask, key) } : checked
}

const makeTill = async () => {
  const user = await makePosUser(db())
  return { user, till: await testTill(ask, user) }
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

it('redeeming a voucher gives a receipt and writes one ledger row', async () => {
  const { user, till } = await makeTill()
  const voucher = await makeVoucher(db(), { denominationCents: 500, expiresOn: '2026-11-21' })
  server.clock.set('2026-11-21T02:00:00Z')
  const { serial } = voucher
  // The serial as it is printed, with spaces.
  const spaced = `${serial.slice(0, 1)} ${serial.slice(1, 7)} ${serial.slice(7)}`
  const key = newHoldKey()
  expect(await redeem(till, spaced, key)).toMatchObject({
    outcome: {
      state: 'redeemed',
      replayed: false,
      receipt: {
        id: key.id,
        serial,
        denomination_cents: 500,
        expires_on: '2026-11-21',
        receipt_number: expect.stringMatching(/^R-\d{6,}$/),
        pos_username: user.loginName,
        branch_name: user.branch.name,
        redeemed_at: server.clock.now().toISOString(),
      },
    },
  })
  expect(await rowsOf(voucher.id)).toMatchObject([{ id: key.id, amountCents: 500, branchId: user.branch.id }])
  await expectBalance()
})

const LAST_DAY = { expiresOn: '2026-11-21' }

describe('refusing', () => {
  const CASES = [
    ['a used voucher', 409, 'VOUCHER_ALREADY_USED', {}],
    ['a revoked voucher', 409, 'VOUCHER_REVOKED', { status: 'Revoked' }],
    ['a voucher that expired yesterday', 409, 'VOUCHER_EXPIRED', { expiresOn: '2026-11-20' }],
  ] as const

  it.each(CASES)('%s answers %i %s, and writes nothing', async (_, status, error, given) => {
    server.clock.set('2026-11-21T02:00:00Z')
    const { till } = await makeTill()
    const voucher = await makeVoucher(db(), given)
    if (error === 'VOUCHER_ALREADY_USED') await redeem((await makeTill()).till, voucher.serial)
    const before = await rowsOf(voucher.id)
    const data = { denomination_cents: voucher.denominationCents, expires_on: voucher.expiresOn }
    expect(await redeem(till, voucher.serial)).toMatchObject({ status, error, data })
    expect(await rowsOf(voucher.id)).toEqual(before)
    await expectBalance()
  })

  it('a voucher can be used through its whole last Singapore day, and not after', async () => {
    const [early, late] = [await makeVoucher(db(), LAST_DAY), await makeVoucher(db(), LAST_DAY)]
    server.clock.set('2026-11-21T15:59:59.999Z')
    expect(await redeem((await makeTill()).till, early.serial)).toMatchObject({ status: 200 })
    server.clock.set('2026-11-21T16:00:00.000Z')
    expect(await redeem((await makeTill()).till, late.serial)).toMatchObject({ error: 'VOUCHER_EXPIRED' })
    server.clock.set('2026-11-21T02:00:00Z')
  })

  it('VCH-10: an unknown serial is 404, and the 61st of a minute is 429 until the minute is over', async () => {
    const { user, till } = await makeTill()
    const { serial } = await makeVoucher(db())
    for (let tries = 0; tries < 60; tries += 1) {
      expect(await redeem(till, makeSerial())).toMatchObject({ status: 404, error: 'VOUCHER_UNKNOWN' })
    }
    const blocked = await redeem(till, makeSerial())
    expect(blocked).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' })
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0)
    // While guessing is stopped, a real serial must be answered like an unknown one.
    expect(await redeem(till, serial)).toMatchObject({ status: 429 })
    const neighbour = await testTill(ask, await makePosUser(db(), user))
    expect(await redeem(neighbour, makeSerial())).toMatchObject({ status: 404 })
    server.clock.advance({ seconds: 61 })
    expect(await redeem(till, serial)).toMatchObject({ status: 200 })
  })

  it('successes never count', async () => {
    const { till } = await makeTill()
    for (let done = 0; done < 65; done += 1) {
      expect((await redeem(till, (await makeVoucher(db())).serial)).status).toBe(200)
    }
  })

  it('VCH-05, VCH-06: a check without the id of a hold, with nonsense in it or half a serial is 422, and uses no id up', async () => {
    const { till } = await makeTill()
    const { serial } = await makeVoucher(db())
    const key = newHoldKey()
    expect((await post(ask, '/api/voucher/verify', { serial }, till.token)).status).toBe(422)
    for (const id of ['', 'again', `${key.id}%00`]) expect((await till.verify(serial, { ...key, id })).status).toBe(422)
    expect(await redeem(till, serial.slice(1), key)).toMatchObject({ status: 422, error: 'VALIDATION_FAILED' })
    expect(await redeem(till, serial, key)).toMatchObject({ status: 200 })
  })

  it('VCH-08: an amount, a date or a merchant of the client’s choice takes nothing', async () => {
    const { till } = await makeTill()
    const { serial, id } = await makeVoucher(db())
    const wishes = { denomination: 9_999, date_used: '2020-01-01', merchant_guid: makeSerial(), branch_guid: '' }
    for (const [field, value] of Object.entries(wishes)) {
      const refused = { status: 422, error: 'VALIDATION_FAILED' }
      expect(
        await verifyAt({ ask, token: till.token, till: till.id }, serial, newHoldKey(), { [field]: value }),
      ).toMatchObject(refused)
    }
    const key = await till.hold(serial)
    for (const [field, value] of Object.entries(wishes)) {
      const { data } = await syncRows(ask, [{ became: 'redeemed', ...key, [field]: value }])
      expect(data.outcomes).toMatchObject([{ state: 'later' }])
    }
    expect(await rowsOf(id)).toEqual([])
  })

  it('a merchant account is 403', async () => {
    const { main, organisation, branch: at } = await makeMerchant(db())
    const cashier = await makeUser(db(), 'Branch Merchant', { organisation, branch: at })
    const voucher = await makeVoucher(db())
    const { id } = (await makeTill()).till
    for (const user of [main, cashier]) {
      const { token } = await logIn(ask, user)
      const refused = { status: 403, error: 'FORBIDDEN' }
      expect(await verifyAt({ ask, token, till: id }, voucher.serial, newHoldKey())).toMatchObject(refused)
    }
    expect(await rowsOf(voucher.id)).toEqual([])
  })

  it('a till whose session ended, or whose user or branch was deactivated, is 401 and holds nothing', async () => {
    const ended = await makeTill()
    await endSession(db(), readClaims(ended.till.token)!.sid, 'deactivated', server.clock.now())
    const user = await makeTill()
    await db().update(appUser).set({ status: 'Inactive' }).where(eq(appUser.id, user.user.id))
    const closed = await makeTill()
    await db().update(branch).set({ status: 'Inactive' }).where(eq(branch.id, closed.user.branch.id))
    for (const { till } of [ended, user, closed]) {
      const { serial } = await makeVoucher(db())
      expect(await redeem(till, serial)).toMatchObject({ status: 401, error: 'SESSION_ENDED' })
    }
  })

  it('a till that logged in elsewhere is told so', async () => {
    const { user, till } = await makeTill()
    await logIn(ask, user)
    const { serial } = await makeVoucher(db())
    expect(await redeem(till, serial)).toMatchObject({ status: 401, error: 'SESSION_TERMINATED' })
  })
})

describe('races', () => {
  it('VCH-01: 100 checks at once of one voucher at ten tills: exactly one gets it', async () => {
    const tills = await Promise.all(times(10, makeTill))
    const voucher = await makeVoucher(db())
    const replies = await Promise.all(times(100, (i) => redeem(tills[i % 10]!.till, voucher.serial)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const lost = ['VOUCHER_HELD', 'VOUCHER_ALREADY_USED', 'VOUCHER_BUSY']
    expect(replies.filter(({ error }) => lost.includes(error ?? ''))).toHaveLength(99)
    expect(await rowsOf(voucher.id)).toHaveLength(1)
    await expectBalance()
  })

  it('VCH-12: a check waits for a session that is just being ended, and then holds nothing', async () => {
    const { till } = await makeTill()
    const voucher = await makeVoucher(db())
    const late = await db().transaction(async (tx) => {
      await endSession(tx, readClaims(till.token)!.sid, 'deactivated', server.clock.now())
      const asked = redeem(till, voucher.serial)
      await vi.waitUntil(async () => (await countWaiting()) > 0)
      // Wrapped in an object: the transaction would await the promise itself, and it waits for the transaction.
      return { asked }
    })
    expect(await late.asked).toMatchObject({ status: 401, error: 'SESSION_ENDED' })
    expect(await rowsOf(voucher.id)).toEqual([])
  })
})

describe('the ledger', () => {
  it('refuses to forget or change a row, and lets it be voided once', async () => {
    const { user, till } = await makeTill()
    const key = newHoldKey()
    await redeem(till, (await makeVoucher(db())).serial, key)
    const row = eq(redemption.id, key.id)
    const update = (change: object) => db().update(redemption).set(change).where(row)
    const refuses = (words: string) => ({ cause: { message: words } })
    await expect(db().delete(redemption).where(row)).rejects.toMatchObject(refuses('a ledger row is never deleted'))
    const voided = { voidedAt: server.clock.now(), voidedBy: user.id }
    for (const change of [{ amountCents: 1 }, { ...voided, amountCents: 1 }]) {
      const words = 'only the void columns of a ledger row can be set'
      await expect(update(change)).rejects.toMatchObject(refuses(words))
    }
    await update(voided)
    await expect(update({ voidedAt: new Date(0) })).rejects.toMatchObject(refuses('a ledger row is voided once'))
  })

  it('VCH-13: is found out of balance when a voucher is used without a row', async () => {
    const { user } = await makeTill()
    const before = await ledgerCheck(server.database)
    await makeVoucher(db(), {
      status: 'Used',
      usedAt: server.clock.now(),
      organisationId: user.organisation.id,
      branchId: user.branch.id,
    })
    const used_without_row = before.used_without_row + 1
    expect(await ledgerCheck(server.database)).toMatchObject({ balanced: false, used_without_row })
  })
})
