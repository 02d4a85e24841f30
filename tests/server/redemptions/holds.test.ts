import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { ledgerCheck } from '../../../server/db/redemptions/ledger.ts'
import { endedHold, redemption } from '../../../server/db/schema/redemptions.ts'
import { voucher as voucherTable } from '../../../server/db/schema/vouchers.ts'
import { blockUntil, THROTTLES } from '../../../server/db/throttles.ts'
import type { Receipt } from '../../../src/contract/redemptions/redeem.ts'
import { get, post, reply, send, signIn } from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeSerial,
  makeVoucher,
  type Merchant,
} from '../../support/database/builders.ts'
import { sentStatements } from '../../support/database/sentStatements.ts'
import {
  askHeld,
  bearerOf,
  newHoldKey,
  redeemHeld,
  testTill,
  verifyAt,
  type TestTill,
} from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'
import { type TestServer } from '../../support/server/testServer.ts'

const START = '2026-11-21T02:00:00.000Z'

let merchant: Merchant
let till: TestTill
/** Of the same branch. */
let neighbour: TestTill
beforeEach(async () => {
  server.clock.set(START)
  merchant = await makeMerchant(db())
  till = await testTill(ask, await makePosUser(db(), merchant), { name: 'Till 2' })
  neighbour = await testTill(ask, await makePosUser(db(), merchant), { name: 'Till 3' })
})

const later = (by: Parameters<TestServer['clock']['advance']>[0]) => server.clock.advance(by)
const redeemBySession = (token: string, serial: string, more: object = {}, key: string = randomUUID()) =>
  post<Receipt>(ask, '/api/voucher/redeem', { serial, ...more }, token, { 'idempotency-key': key })
const rowsOf = (voucherId: string) => db().select().from(redemption).where(eq(redemption.voucherId, voucherId))
const stored = async (id: string) => (await db().select().from(voucherTable).where(eq(voucherTable.id, id)))[0]!
const signedInAgain = async (given: object = {}) => testTill(ask, await makePosUser(db(), merchant, given))

describe('a verified voucher', () => {
  it('is held for its till, and tells until when', async () => {
    const voucher = await makeVoucher(db(), { denominationCents: 500 })
    const key = newHoldKey()
    expect(await till.verify(voucher.serial, key)).toMatchObject({
      status: 200,
      data: {
        serial: voucher.serial,
        denomination_cents: 500,
        expires_on: voucher.expiresOn,
        hold: {
          id: key.id,
          till: 'Till 2',
          since: START,
          confirm_until: '2026-11-21T02:10:00.000Z',
          ends: '2026-11-22T02:00:00.000Z',
        },
      },
    })
    expect(await stored(voucher.id)).toMatchObject({ status: 'Active', holdId: key.id, usedAt: null })
  })

  it('gets the same answer for the same id and secret, and its 24 hours do not restart', async () => {
    const { serial } = await makeVoucher(db())
    const key = newHoldKey()
    const first = await till.verify(serial, key)
    later({ hours: 3 })
    const token = (await signedInAgain()).token
    const again = await verifyAt(ask, token, till.id, serial, key)
    expect(again).toMatchObject({ status: 200, data: first.data })
  })

  it('is refused to every other id as VOUCHER_HELD, with the till at its own branch only', async () => {
    const voucher = await makeVoucher(db())
    await till.hold(voucher.serial)
    const facts = { denomination_cents: voucher.denominationCents, expires_on: voucher.expiresOn }
    const held = { ...facts, since: START, ends: '2026-11-22T02:00:00.000Z' }
    const refusal = (name: string | null) => ({ status: 409, error: 'VOUCHER_HELD', data: { ...held, till: name } })
    const elsewhere = await makeBranch(db(), merchant.organisation)
    const far = await testTill(ask, await makePosUser(db(), { ...merchant, branch: elsewhere }))
    later({ hours: 23 })
    const [near, away] = [await signedInAgain(), await testTill(ask, await makePosUser(db()))]
    expect(await near.verify(voucher.serial, newHoldKey())).toMatchObject(refusal('Till 2'))
    expect(await redeemBySession(near.token, voucher.serial)).toMatchObject(refusal('Till 2'))
    expect(await away.verify(voucher.serial, newHoldKey())).toMatchObject(refusal(null))
    expect(await redeemBySession(away.token, voucher.serial)).toMatchObject(refusal(null))
    server.clock.set(START)
    expect(await far.verify(voucher.serial, newHoldKey())).toMatchObject(refusal(null))
    expect(await rowsOf(voucher.id)).toEqual([])
  })

  it('goes to another till once its 24 hours are over, and the first one is told', async () => {
    const { serial } = await makeVoucher(db())
    const key = await till.hold(serial)
    later({ hours: 24 })
    const other = await signedInAgain()
    const when = server.clock.now().toISOString()
    const taken = newHoldKey()
    expect(await other.verify(serial, taken)).toMatchObject({ status: 200, data: { hold: { id: taken.id } } })
    const ended = { status: 409, error: 'HOLD_ENDED', data: { by: 'taken over', when } }
    expect(await redeemHeld(ask, key)).toMatchObject(ended)
    expect(await askHeld(ask, key)).toMatchObject({ status: 200, data: { state: 'ended', by: 'taken over', when } })
    expect(await redeemHeld(ask, taken)).toMatchObject({ status: 200 })
    expect(await redeemHeld(ask, key)).toMatchObject(ended)
  })

  it('goes to a session without a hold after its 24 hours as well', async () => {
    const { serial, id } = await makeVoucher(db())
    const key = await till.hold(serial)
    later({ hours: 24 })
    const other = await signedInAgain()
    expect(await redeemBySession(other.token, serial)).toMatchObject({ status: 200 })
    expect(await redeemHeld(ask, key)).toMatchObject({ error: 'HOLD_ENDED', data: { by: 'taken over' } })
    expect(await rowsOf(id)).toHaveLength(1)
  })

  it('cannot be held under an id that stands for another voucher or another secret', async () => {
    const [one, two] = [await makeVoucher(db()), await makeVoucher(db())]
    const key = await till.hold(one.serial)
    const reused = { status: 422, error: 'IDEMPOTENCY_KEY_REUSED' }
    expect(await till.verify(two.serial, key)).toMatchObject(reused)
    expect(await till.verify(one.serial, { ...newHoldKey(), id: key.id })).toMatchObject(reused)
    const redeemed = await redeemBySession(till.token, two.serial)
    expect(
      await till.verify((await makeVoucher(db())).serial, { ...newHoldKey(), id: redeemed.data.id }),
    ).toMatchObject(reused)
  })

  it('cannot be redeemed by session under the id of another hold', async () => {
    const [one, two] = [await makeVoucher(db()), await makeVoucher(db())]
    const key = await till.hold(one.serial)
    const refused = await redeemBySession(till.token, two.serial, {}, key.id)
    expect(refused).toMatchObject({ status: 422, error: 'IDEMPOTENCY_KEY_REUSED' })
    expect(await redeemHeld(ask, key)).toMatchObject({ status: 200 })
  })

  it('must be one that exists, asked for by a till that has a name at this branch', async () => {
    const { serial } = await makeVoucher(db())
    expect(await till.verify(makeSerial(), newHoldKey())).toMatchObject({ status: 404, error: 'VOUCHER_UNKNOWN' })
    const stranger = await testTill(ask, await makePosUser(db()))
    const unnamed = { status: 409, error: 'TILL_UNKNOWN' }
    expect(await verifyAt(ask, till.token, randomUUID(), serial, newHoldKey())).toMatchObject(unnamed)
    expect(await verifyAt(ask, till.token, stranger.id, serial, newHoldKey())).toMatchObject(unnamed)
  })
})

describe('fifteen open holds', () => {
  const fill = async (one: TestTill) => {
    for (let held = 0; held < 15; held += 1) await one.hold((await makeVoucher(db())).serial)
  }

  it('are the most for a till, whoever stands at it', async () => {
    await fill(till)
    const { token } = await signedInAgain()
    const refused = await verifyAt(ask, token, till.id, (await makeVoucher(db())).serial, newHoldKey())
    expect(refused).toMatchObject({ status: 409, error: 'HOLD_LIMIT', data: { limit: 15, of: 'till' } })
  })

  it('are the most for a POS user, on whatever till; what is redeemed, cancelled or over makes room', async () => {
    const user = await makePosUser(db(), merchant)
    const first = await testTill(ask, user)
    await fill(first)
    const second = await testTill(ask, user)
    const { serial } = await makeVoucher(db())
    const key = newHoldKey()
    const refused = { status: 409, error: 'HOLD_LIMIT', data: { limit: 15, of: 'POS user' } }
    expect(await second.verify(serial, key)).toMatchObject(refused)
    const [held] = await db().select().from(voucherTable).where(eq(voucherTable.holdPosUserId, user.id)).limit(1)
    await post(ask, '/api/voucher/release', { guid: held!.id, since: START }, (await signIn(ask, merchant.main)).token)
    expect(await second.verify(serial, key)).toMatchObject({ status: 200 })
    expect(await second.verify((await makeVoucher(db())).serial, newHoldKey())).toMatchObject(refused)
    later({ hours: 24 })
    const third = await testTill(ask, user)
    expect(await third.verify((await makeVoucher(db())).serial, newHoldKey())).toMatchObject({ status: 200 })
  })

  it('stay the most when twenty are asked for at once', async () => {
    const vouchers = await Promise.all(Array.from({ length: 20 }, () => makeVoucher(db())))
    const replies = await Promise.all(vouchers.map(({ serial }) => till.verify(serial, newHoldKey())))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(15)
    expect(replies.filter(({ error }) => error === 'HOLD_LIMIT')).toHaveLength(5)
  })
})

describe('redeeming what is held', () => {
  it('needs the secret alone, and credits who verified', async () => {
    const user = await makePosUser(db(), merchant)
    const mine = await testTill(ask, user, { name: 'Till 7' })
    const voucher = await makeVoucher(db())
    const key = await mine.hold(voucher.serial)
    later({ hours: 30 })
    // The session ran out hours ago, and somebody else is signed in at this till.
    await signedInAgain()
    const { status, data, headers } = await redeemHeld(ask, key)
    expect(status).toBe(200)
    expect(headers.get('set-cookie')).toBeNull()
    expect(data).toMatchObject({
      id: key.id,
      pos_username: user.loginName,
      branch_name: merchant.branch.name,
      till: 'Till 7',
      recorded_at: server.clock.now().toISOString(),
    })
    expect(await rowsOf(voucher.id)).toMatchObject([{ posUserId: user.id, tillId: mine.id, tillName: 'Till 7' }])
    expect(await stored(voucher.id)).toMatchObject({
      status: 'Used',
      holdId: null,
      redeemedBranchId: merchant.branch.id,
    })
    expect(await ledgerCheck(server.database)).toMatchObject({ balanced: true })
  })

  it('takes the session of any cashier of the till beside the secret, and not without it', async () => {
    const { serial } = await makeVoucher(db())
    const key = await till.hold(serial)
    expect(await redeemBySession(neighbour.token, serial, {}, key.id)).toMatchObject({ error: 'VOUCHER_HELD' })
    const redeemed = await redeemBySession(neighbour.token, serial, { secret: key.secret }, key.id)
    expect(redeemed).toMatchObject({ status: 200, data: { id: key.id, till: 'Till 2' } })
  })

  it.each([
    ['the tap, while it lies within the ten minutes', '2026-11-21T02:07:00.000Z', '2026-11-21T02:07:00.000Z'],
    ['the end of the ten minutes, for a clock that is ahead', '2026-11-21T09:00:00.000Z', '2026-11-21T02:10:00.000Z'],
    ['the beginning of the hold, for a clock that is behind', '1970-01-01T00:00:00.000Z', START],
    ['the end of the ten minutes, when no time is told', undefined, '2026-11-21T02:10:00.000Z'],
  ])('is dated by %s', async (_, redeemed_at, expected) => {
    const voucher = await makeVoucher(db())
    const key = await till.hold(voucher.serial)
    later({ hours: 5 })
    const { data } = await redeemHeld(ask, key, redeemed_at ? { redeemed_at } : {})
    expect(data).toMatchObject({ redeemed_at: expected, recorded_at: '2026-11-21T07:00:00.000Z' })
    expect((await stored(voucher.id)).usedAt?.toISOString()).toBe(expected)
  })

  it('is never dated after it was recorded', async () => {
    const { serial } = await makeVoucher(db())
    const key = await till.hold(serial)
    later({ minutes: 2 })
    const { data } = await redeemHeld(ask, key, { redeemed_at: '2026-11-21T02:08:00.000Z' })
    expect(data.redeemed_at).toBe('2026-11-21T02:02:00.000Z')
  })

  it('judges the expiry of the day it was held, not of the day it is uploaded', async () => {
    const { serial } = await makeVoucher(db(), { expiresOn: '2026-11-21' })
    const key = await till.hold(serial)
    later({ days: 3 })
    expect(await redeemHeld(ask, key)).toMatchObject({ status: 200 })
  })

  it('VCH-02: answers the same again, to the secret and to the cashier, and says so', async () => {
    const voucher = await makeVoucher(db())
    const key = await till.hold(voucher.serial)
    const first = await redeemHeld(ask, key, { redeemed_at: START })
    later({ minutes: 4 })
    for (const again of [
      await redeemHeld(ask, key, { redeemed_at: START }),
      await redeemBySession(till.token, voucher.serial, {}, key.id),
    ]) {
      expect(again).toMatchObject({ status: 200, body: first.body })
      expect(again.headers.get('idempotent-replayed')).toBe('true')
    }
    expect(await rowsOf(voucher.id)).toHaveLength(1)
  })

  it('VCH-03: refuses the same id with another voucher', async () => {
    const [one, two] = [await makeVoucher(db()), await makeVoucher(db())]
    const key = await till.hold(one.serial)
    const reused = { status: 422, error: 'IDEMPOTENCY_KEY_REUSED' }
    expect(await redeemHeld(ask, key)).toMatchObject(reused)
    await redeemHeld(ask, key)
    expect(await redeemHeld(ask, key)).toMatchObject(reused)
    expect(await rowsOf(two.id)).toEqual([])
  })

  it('VCH-07: answers 24 hours and 30 days later as at first', async () => {
    const { serial, id } = await makeVoucher(db())
    const key = await till.hold(serial)
    const first = await redeemHeld(ask, key)
    for (const by of [{ hours: 24 }, { days: 30 }]) {
      later(by)
      expect(await redeemHeld(ask, key)).toMatchObject({ status: 200, body: first.body })
    }
    expect(await rowsOf(id)).toHaveLength(1)
  })

  it('VCH-11: of fifteen vouchers for one bill, one of them used, takes fourteen', async () => {
    const vouchers = await Promise.all(Array.from({ length: 15 }, () => makeVoucher(db())))
    await redeemBySession(neighbour.token, vouchers[4]!.serial)
    const verdicts = []
    for (const { serial } of vouchers) {
      const key = newHoldKey()
      const verified = await till.verify(serial, key)
      verdicts.push(verified.error ?? (await redeemHeld(ask, key)).status)
    }
    expect(verdicts).toEqual(vouchers.map((_, at) => (at === 4 ? 'VOUCHER_ALREADY_USED' : 200)))
    expect(await ledgerCheck(server.database)).toMatchObject({ balanced: true })
  })
})

describe('the secret of a hold', () => {
  it('is no session: nothing but redeem, cancel and ask takes it', async () => {
    const { serial } = await makeVoucher(db())
    const key = await till.hold(serial)
    for (const path of [
      '/api/account/my_info',
      '/api/voucher/my_day?day=2026-11-21',
      `/api/voucher/redemption/${key.id}`,
    ]) {
      expect(await get(ask, path, bearerOf(key))).toMatchObject({ status: 401, error: 'TOKEN_INVALID' })
    }
    for (const [path, body] of [
      ['/api/voucher/verify', { serial }],
      ['/api/voucher/void', { id: key.id }],
    ] as const) {
      expect(await post(ask, path, body, bearerOf(key))).toMatchObject({ status: 401, error: 'TOKEN_INVALID' })
    }
    const till1 = { token: bearerOf(key), body: { name: 'Mine' } }
    expect(await reply(await send(ask, 'PUT', `/api/till/${till.id}`, till1))).toMatchObject({ status: 401 })
  })

  it('opens its own hold only, and a wrong one is never a 401', async () => {
    const [one, two] = [await makeVoucher(db()), await makeVoucher(db())]
    const [mine, other] = [await till.hold(one.serial), await till.hold(two.serial)]
    const crossed = { id: other.id, secret: mine.secret }
    const unknown = { status: 404, error: 'HOLD_UNKNOWN' }
    for (const key of [crossed, { id: other.id, secret: 'short' }, { ...newHoldKey(), id: other.id }]) {
      expect(await redeemHeld(ask, key)).toMatchObject(unknown)
      expect(await askHeld(ask, key)).toMatchObject(unknown)
      expect(await post(ask, '/api/voucher/cancel', { id: key.id }, bearerOf(key))).toMatchObject(unknown)
    }
    expect(await redeemHeld(ask, newHoldKey())).toMatchObject(unknown)
    await redeemHeld(ask, other)
    expect(await redeemHeld(ask, crossed)).toMatchObject(unknown)
    expect(await askHeld(ask, crossed)).toMatchObject(unknown)
  })

  it('is kept as a hash, and travels back in no answer', async () => {
    const { serial, id } = await makeVoucher(db())
    const key = newHoldKey()
    const { body } = await till.verify(serial, key)
    const kept = JSON.stringify([await stored(id), body, await db().select().from(endedHold)])
    expect(kept).not.toContain(key.secret)
    expect(JSON.stringify(server.log.events)).not.toContain(key.secret)
  })
})

describe('asking about a hold', () => {
  it('tells what became of it, by the secret and to its branch, from the first moment to the last', async () => {
    const { serial } = await makeVoucher(db())
    const key = newHoldKey()
    const path = `/api/voucher/hold/${key.id}`
    const stranger = await testTill(ask, await makePosUser(db()))
    const told = async () => {
      const [bySecret, bySession] = [await askHeld(ask, key), await get(ask, path, neighbour.token)]
      expect(bySession).toMatchObject({ status: bySecret.status, data: bySecret.data })
      expect(await get(ask, path, stranger.token)).toMatchObject({ status: 404, error: 'HOLD_UNKNOWN' })
      return bySecret
    }
    expect(await told()).toMatchObject({ status: 404, error: 'HOLD_UNKNOWN' })
    const { data: verified } = await till.verify(serial, key)
    expect(await told()).toMatchObject({ status: 200, data: { state: 'held', hold: verified.hold } })
    const { data: receipt } = await redeemHeld(ask, key)
    expect((await told()).data).toEqual({ state: 'redeemed', receipt, can_be_voided: true })
    await post(ask, '/api/voucher/void', { id: key.id }, till.token)
    expect((await told()).data).toEqual({ state: 'voided', receipt, voided_at: START })
  })
})

describe('what a voucher costs the database', () => {
  it('is one statement for its redemption, and for its check what decides in one order that nobody may change', async () => {
    const till = await testTill(ask, await makePosUser(db()))
    const { serial } = await makeVoucher(db())
    const key = newHoldKey()
    const names = async (work: () => Promise<unknown>) =>
      (await sentStatements(work)).map(({ name, text }) => name ?? text)
    expect(await names(() => till.verify(serial, key))).toEqual([
      'BEGIN',
      // In one packet with BEGIN: each waits for the ones before it, and sees what was committed by then.
      'session',
      'lock_cashier',
      'lock_checked_voucher',
      // In one packet with COMMIT.
      'grant_hold',
      'COMMIT',
    ])
    expect(await names(() => redeemHeld(ask, key))).toEqual(['redeem'])
  })

  it('VCH-10: is the same for whoever has guessed too often, by the id of a hold of theirs too: it is there, or it is not', async () => {
    const cashier = await makePosUser(db())
    const till = await testTill(ask, cashier)
    const [own, other] = [await makeVoucher(db()), await makeVoucher(db())]
    const key = await till.hold(own.serial)
    const until = new Date(server.clock.now().getTime() + 60_000)
    await blockUntil(db(), THROTTLES.unknownSerial, cashier.id, until)
    const sentFor = async (serial: string) => {
      const sent = await sentStatements(async () =>
        expect(await till.verify(serial, key)).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' }),
      )
      return sent.map(({ text }) => text)
    }
    expect(await sentFor(other.serial)).toEqual(await sentFor(makeSerial()))
  })
})
