import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { describe, expect } from 'vitest'
import { endSession } from '../../../server/db/accounts/sessions.ts'
import { ledgerCheck } from '../../../server/db/redemptions/ledger.ts'
import { appUser, branch } from '../../../server/db/schema/organisations.ts'
import { redemption } from '../../../server/db/schema/redemptions.ts'
import type { Receipt } from '../../../src/contract/redemptions/redeem.ts'
import { readClaims } from '../../../src/domain/accounts/sessions.ts'
import { get, post, signIn, type Reply } from '../../support/api/portalClient.ts'
import { countByStatus } from '../../support/api/signedInClient.ts'
import { makeMerchant, makePosUser, makeSerial, makeUser, makeVoucher } from '../../support/database/builders.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

const redeem = (token: string, serial: string, key: string = randomUUID()) =>
  post<Receipt>(ask, '/api/voucher/redeem', { serial }, token, { 'idempotency-key': key })

const makeTill = async () => {
  const till = await makePosUser(db())
  return { till, ...(await signIn(ask, till)) }
}

const rowsOf = (voucherId: string) => db().select().from(redemption).where(eq(redemption.voucherId, voucherId))
const expectBalance = async () => expect(await ledgerCheck(server.database)).toMatchObject({ balanced: true })
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

describe('redeeming a voucher', () => {
  it('gives a receipt and writes one ledger row', async () => {
    const { token, till } = await makeTill()
    const voucher = await makeVoucher(db(), { denominationCents: 500, expiresOn: '2026-11-21' })
    const key = randomUUID()

    const { status, data, headers } = await redeem(token, voucher.serial, key)

    expect(status).toBe(200)
    expect(headers.get('idempotent-replayed')).toBeNull()
    expect(data).toMatchObject({
      id: key,
      serial: voucher.serial,
      denomination_cents: 500,
      expires_on: '2026-11-21',
      pos_username: till.loginName,
      branch_name: till.branch.name,
      redeemed_at: server.clock.now().toISOString(),
    })
    expect(data.receipt_number).toMatch(/^R-\d{6,}$/)
    expect(await rowsOf(voucher.id)).toMatchObject([{ id: key, amountCents: 500, branchId: till.branch.id }])
    await expectBalance()
  })

  it('VCH-02: answers the same key again with the same receipt, and says so', async () => {
    const { token } = await makeTill()
    const voucher = await makeVoucher(db())
    const key = randomUUID()
    const first = await redeem(token, voucher.serial, key)
    server.clock.advance({ minutes: 3 })

    const again = await redeem(token, voucher.serial, key)

    expect(again).toMatchObject({ status: 200, body: first.body })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await rowsOf(voucher.id)).toHaveLength(1)
  })

  it('takes the serial as printed, with spaces', async () => {
    const { token } = await makeTill()
    const { serial } = await makeVoucher(db())
    const spaced = `${serial.slice(0, 1)} ${serial.slice(1, 7)} ${serial.slice(7)}`
    expect(await redeem(token, spaced)).toMatchObject({ status: 200, data: { serial } })
  })

  it('finds a receipt again by its id, at the same branch only', async () => {
    const { token, till } = await makeTill()
    const neighbour = await signIn(ask, await makePosUser(db(), till))
    const stranger = await makeTill()
    const voucher = await makeVoucher(db())
    const { data } = await redeem(token, voucher.serial)
    const path = `/api/voucher/redemption/${data.id}`
    expect(await get(ask, path, token)).toMatchObject({ status: 200, data })
    expect(await get(ask, path, neighbour.token)).toMatchObject({ status: 200, data })
    expect(await get(ask, path, stranger.token)).toMatchObject({ status: 404, error: 'REDEMPTION_UNKNOWN' })
    const nothing = `/api/voucher/redemption/${randomUUID()}`
    expect(await get(ask, nothing, token)).toMatchObject({ status: 404, error: 'REDEMPTION_UNKNOWN' })
  })
})

const LAST_DAY = { expiresOn: '2026-11-21' }

describe('refusing', () => {
  const CASES = [
    ['a used voucher', 409, 'VOUCHER_ALREADY_USED', {}],
    ['a revoked voucher', 409, 'VOUCHER_REVOKED', { status: 'Revoked' }],
    ['a voucher that expired yesterday', 409, 'VOUCHER_EXPIRED', { expiresOn: '2026-11-20' }],
  ] as const

  it.each(CASES)('%s answers %i %s at redeem, and writes nothing', async (_, status, error, given) => {
    server.clock.set('2026-11-21T02:00:00Z')
    const { token } = await makeTill()
    const voucher = await makeVoucher(db(), given)
    if (error === 'VOUCHER_ALREADY_USED') await redeem((await makeTill()).token, voucher.serial)
    const before = await rowsOf(voucher.id)

    const data = { denomination_cents: voucher.denominationCents, expires_on: voucher.expiresOn }
    expect(await redeem(token, voucher.serial)).toMatchObject({ status, error, data })

    expect(await rowsOf(voucher.id)).toEqual(before)
    await expectBalance()
  })

  it('a voucher can be used through its whole last Singapore day, and not after', async () => {
    const [early, late] = [await makeVoucher(db(), LAST_DAY), await makeVoucher(db(), LAST_DAY)]
    server.clock.set('2026-11-21T15:59:59.999Z')
    expect(await redeem((await makeTill()).token, early.serial)).toMatchObject({ status: 200 })
    server.clock.set('2026-11-21T16:00:00.000Z')
    expect(await redeem((await makeTill()).token, late.serial)).toMatchObject({ error: 'VOUCHER_EXPIRED' })
    server.clock.set('2026-11-21T02:00:00Z')
  })

  it('VCH-10: an unknown serial is 404, and the 61st of a minute is 429 until the minute is over', async () => {
    const { token, till } = await makeTill()
    const { serial } = await makeVoucher(db())
    for (let tries = 0; tries < 60; tries += 1) {
      expect(await redeem(token, makeSerial())).toMatchObject({ status: 404, error: 'VOUCHER_UNKNOWN' })
    }
    const blocked = await redeem(token, makeSerial())
    expect(blocked).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' })
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0)
    // A hit must not tell itself from a miss while guessing is stopped.
    expect(await redeem(token, serial)).toMatchObject({ status: 429 })
    expect(await redeem((await signIn(ask, await makePosUser(db(), till))).token, makeSerial())).toMatchObject({
      status: 404,
    })
    server.clock.advance({ seconds: 61 })
    expect(await redeem(token, serial)).toMatchObject({ status: 200 })
  })

  it('successes never count', async () => {
    const { token } = await makeTill()
    for (let done = 0; done < 65; done += 1) {
      const { serial } = await makeVoucher(db())
      expect((await redeem(token, serial)).status).toBe(200)
    }
  })

  it('VCH-03: a key with another serial is 422, and so is the key of another user', async () => {
    const [mine, theirs] = [await makeTill(), await makeTill()]
    const [first, second] = [await makeVoucher(db()), await makeVoucher(db())]
    const key = randomUUID()
    await redeem(mine.token, first.serial, key)
    const refusal = { status: 422, error: 'IDEMPOTENCY_KEY_REUSED' }
    expect(await redeem(mine.token, second.serial, key)).toMatchObject(refusal)
    expect(await redeem(theirs.token, first.serial, key)).toMatchObject(refusal)
    expect(await rowsOf(second.id)).toEqual([])
  })

  it('VCH-05: a call without Idempotency-Key is 400, with nonsense in it 422', async () => {
    const { token } = await makeTill()
    const { serial } = await makeVoucher(db())
    const send = (headers: Record<string, string>) => post(ask, '/api/voucher/redeem', { serial }, token, headers)
    const required = { status: 400, error: 'IDEMPOTENCY_KEY_REQUIRED' }
    expect(await send({})).toMatchObject(required)
    expect(await send({ 'idempotency-key': '' })).toMatchObject(required)
    const twice = `${randomUUID()}, ${randomUUID()}`
    for (const key of ['again', 'x'.repeat(256), `${randomUUID()}%00`, twice]) {
      expect(await send({ 'idempotency-key': key })).toMatchObject({ status: 422, error: 'VALIDATION_FAILED' })
    }
  })

  it('VCH-06: a malformed body uses no key up', async () => {
    const { token } = await makeTill()
    const { serial } = await makeVoucher(db())
    const key = randomUUID()
    expect(await redeem(token, serial.slice(1), key)).toMatchObject({ status: 422, error: 'VALIDATION_FAILED' })
    expect(await redeem(token, serial, key)).toMatchObject({ status: 200, data: { id: key } })
  })

  it('VCH-08: an amount, a date or a merchant of the client’s choice is 422, and takes nothing', async () => {
    const { token } = await makeTill()
    const { serial, id } = await makeVoucher(db())
    const wishes = {
      denomination: 9_999,
      date_used: '2020-01-01',
      merchant_guid: randomUUID(),
      branch_guid: randomUUID(),
    }
    for (const [field, value] of Object.entries(wishes)) {
      const body = { serial, [field]: value }
      const headers = { 'idempotency-key': randomUUID() }
      expect(await post(ask, '/api/voucher/redeem', body, token, headers)).toMatchObject({
        status: 422,
        error: 'VALIDATION_FAILED',
      })
    }
    expect(await rowsOf(id)).toEqual([])
  })

  it('a merchant account is 403', async () => {
    const { main, organisation, branch: at } = await makeMerchant(db())
    const cashier = await makeUser(db(), 'Branch Merchant', { organisation, branch: at })
    const voucher = await makeVoucher(db())
    for (const user of [main, cashier]) {
      const { token } = await signIn(ask, user)
      expect(await redeem(token, voucher.serial)).toMatchObject({ status: 403, error: 'FORBIDDEN' })
    }
    expect(await rowsOf(voucher.id)).toEqual([])
  })

  it('a till whose session ended, or whose user or branch was deactivated, is 401 and redeems nothing', async () => {
    const ended = await makeTill()
    await endSession(db(), readClaims(ended.token)!.sid, 'deactivated', server.clock.now())
    const user = await makeTill()
    await db().update(appUser).set({ status: 'Inactive' }).where(eq(appUser.id, user.till.id))
    const closed = await makeTill()
    await db().update(branch).set({ status: 'Inactive' }).where(eq(branch.id, closed.till.branch.id))
    for (const { token } of [ended, user, closed]) {
      const voucher = await makeVoucher(db())
      expect(await redeem(token, voucher.serial)).toMatchObject({ status: 401, error: 'SESSION_ENDED' })
      expect(await rowsOf(voucher.id)).toEqual([])
    }
  })

  it('a till that signed in elsewhere is told so', async () => {
    const { token, till } = await makeTill()
    await signIn(ask, till)
    const { serial } = await makeVoucher(db())
    expect(await redeem(token, serial)).toMatchObject({ status: 401, error: 'SESSION_TERMINATED' })
  })
})

describe('races', () => {
  it('VCH-01: 100 tills at once on one voucher: exactly one gets it', async () => {
    const tills = await Promise.all(times(10, makeTill))
    const voucher = await makeVoucher(db())
    const replies = await Promise.all(times(100, (i) => redeem(tills[i % 10]!.token, voucher.serial)))
    const {
      '200': won,
      '409 VOUCHER_ALREADY_USED': used = 0,
      '409 VOUCHER_BUSY': busy = 0,
      ...others
    } = countByStatus(replies)
    expect(others).toEqual({})
    expect({ won, lost: used + busy }).toEqual({ won: 1, lost: 99 })
    expect(await rowsOf(voucher.id)).toHaveLength(1)
    await expectBalance()
  })

  it('VCH-04: 100 times the same key at once: one row, one answer', async () => {
    const { token } = await makeTill()
    const voucher = await makeVoucher(db())
    const key = randomUUID()
    const replies = await Promise.all(times(100, () => redeem(token, voucher.serial, key)))
    const { '200': same = 0, '409 VOUCHER_BUSY': busy = 0, ...others } = countByStatus(replies)
    expect(others).toEqual({})
    expect(same).toBeGreaterThan(0)
    expect(same + busy).toBe(100)
    const receipts = replies.filter(({ status }) => status === 200).map(({ data }) => JSON.stringify(data))
    expect(new Set(receipts).size).toBe(1)
    expect(await rowsOf(voucher.id)).toHaveLength(1)
    await expectBalance()
  })

  it('one key on many vouchers at once redeems one of them', async () => {
    const { token } = await makeTill()
    const vouchers = await Promise.all(times(20, () => makeVoucher(db())))
    const key = randomUUID()
    const replies = await Promise.all(vouchers.map(({ serial }) => redeem(token, serial, key)))
    const {
      '200': won,
      '422 IDEMPOTENCY_KEY_REUSED': reused = 0,
      '409 VOUCHER_BUSY': busy = 0,
      ...others
    } = countByStatus(replies)
    expect(others).toEqual({})
    expect({ won, lost: reused + busy }).toEqual({ won: 1, lost: 19 })
    await expectBalance()
  })

  it('a session ending in the middle leaves nothing half done', async () => {
    const { token, till } = await makeTill()
    const vouchers = await Promise.all(times(30, () => makeVoucher(db())))
    const work = vouchers.map(({ serial }, i) => (i === 15 ? signIn(ask, till) : redeem(token, serial)))
    const replies = (await Promise.all(work)).filter((done): done is Reply<Receipt> => 'status' in done)
    const { '200': won = 0, '401 SESSION_TERMINATED': refused = 0, ...others } = countByStatus(replies)
    expect(others).toEqual({})
    expect(won + refused).toBe(29)
    const rows = await Promise.all(vouchers.map(({ id }) => rowsOf(id)))
    expect(rows.flat()).toHaveLength(won)
    await expectBalance()
  })
})

it('VCH-12: a redemption waits for a session that is just being ended, and then takes nothing', async () => {
  const { token } = await makeTill()
  const voucher = await makeVoucher(db())
  const late = await db().transaction(async (tx) => {
    await endSession(tx, readClaims(token)!.sid, 'deactivated', server.clock.now())
    const asked = redeem(token, voucher.serial)
    // Long enough for the statement to reach the locked row.
    await sleep(300)
    // In an object, or the transaction would wait for what waits for it.
    return { asked }
  })
  expect(await late.asked).toMatchObject({ status: 401, error: 'SESSION_ENDED' })
  expect(await rowsOf(voucher.id)).toEqual([])
})

describe('the ledger', () => {
  it('refuses to forget or change a row, and lets it be voided once', async () => {
    const { token, till } = await makeTill()
    const { serial } = await makeVoucher(db())
    const { data } = await redeem(token, serial)
    const row = eq(redemption.id, data.id)
    const update = (change: object) => db().update(redemption).set(change).where(row)
    const refuses = (words: string) => ({ cause: { message: words } })
    await expect(db().delete(redemption).where(row)).rejects.toMatchObject(refuses('a ledger row is never deleted'))
    const voided = { voidedAt: server.clock.now(), voidedBy: till.id }
    for (const change of [{ amountCents: 1 }, { ...voided, amountCents: 1 }]) {
      const words = 'only the void columns of a ledger row can be set'
      await expect(update(change)).rejects.toMatchObject(refuses(words))
    }
    await update(voided)
    await expect(update({ voidedAt: new Date(0) })).rejects.toMatchObject(refuses('a ledger row is voided once'))
  })

  it('VCH-13: is found out of balance when a voucher is used without a row', async () => {
    const { till } = await makeTill()
    const before = await ledgerCheck(server.database)
    await makeVoucher(db(), {
      status: 'Used',
      usedAt: server.clock.now(),
      redeemedOrganisationId: till.organisation.id,
      redeemedBranchId: till.branch.id,
    })
    const used_without_row = before.used_without_row + 1
    expect(await ledgerCheck(server.database)).toMatchObject({ balanced: false, used_without_row })
  })
})
