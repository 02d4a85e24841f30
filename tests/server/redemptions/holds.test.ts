import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { ledgerCheck } from '../../../server/db/redemptions/ledger.ts'
import { hold } from '../../../server/db/schema/redemptions.ts'
import { countFailure, THROTTLES } from '../../../server/db/throttles.ts'
import { get, post, logIn } from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeSerial,
  makeVoucher,
  type Merchant,
} from '../../support/database/builders.ts'
import { sentStatements } from '../../support/database/sentStatements.ts'
import { openHold, rowsOf, stored } from '../../support/redemptions/ledgerRows.ts'
import {
  askHeld,
  cancelHeld,
  newHoldKey,
  redeemHeld,
  testTill,
  verifyAt,
  voidHeld,
  type TestTill,
} from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'
import { type TestServer } from '../../support/server/testServer.ts'

const START = '2026-11-21T02:00:00.000Z'

let merchant: Merchant
let till: TestTill
/** A second till of the same branch. */
let neighbour: TestTill
beforeEach(async () => {
  server.clock.set(START)
  merchant = await makeMerchant(db())
  till = await testTill(ask, await makePosUser(db(), merchant), { name: 'Till 2' })
  neighbour = await testTill(ask, await makePosUser(db(), merchant), { name: 'Till 3' })
})

const later = (by: Parameters<TestServer['clock']['advance']>[0]) => server.clock.advance(by)
const loggedInAgain = async (given: object = {}) => testTill(ask, await makePosUser(db(), merchant, given))

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
          ends: '2026-11-22T02:00:00.000Z',
        },
      },
    })
    expect(await stored(voucher.id)).toMatchObject({ status: 'Active', usedAt: null })
    expect(await openHold(voucher.id)).toMatchObject({ id: key.id })
  })

  it('gets the same answer for the same id and secret, and its 24 hours do not restart', async () => {
    const { serial } = await makeVoucher(db())
    const key = newHoldKey()
    const first = await till.verify(serial, key)
    later({ hours: 3 })
    const token = (await loggedInAgain()).token
    const again = await verifyAt({ ask, token, till: till.id }, serial, key)
    expect(again).toMatchObject({ status: 200, data: first.data })
  })

  it('is refused to every other id as VOUCHER_HELD, with the till at its own branch only', async () => {
    const voucher = await makeVoucher(db())
    await till.hold(voucher.serial)
    const facts = { denomination_cents: voucher.denominationCents, expires_on: voucher.expiresOn }
    const held = { ...facts, since: START, ends: '2026-11-22T02:00:00.000Z' }
    const refusal = (name: string | null, is_this_till = false) => ({
      status: 409,
      error: 'VOUCHER_HELD',
      data: { ...held, till: name, is_this_till },
    })
    const elsewhere = await makeBranch(db(), merchant.organisation)
    const far = await testTill(ask, await makePosUser(db(), { ...merchant, branch: elsewhere }))
    later({ hours: 23 })
    const [near, away] = [await loggedInAgain(), await testTill(ask, await makePosUser(db()))]
    expect(await near.verify(voucher.serial, newHoldKey())).toMatchObject(refusal('Till 2'))
    // Another window of the same till.
    const window = await verifyAt({ ask, token: near.token, till: till.id }, voucher.serial, newHoldKey())
    expect(window).toMatchObject(refusal('Till 2', true))
    expect(await away.verify(voucher.serial, newHoldKey())).toMatchObject(refusal(null))
    server.clock.set(START)
    expect(await far.verify(voucher.serial, newHoldKey())).toMatchObject(refusal(null))
    expect(await rowsOf(voucher.id)).toEqual([])
  })

  it('goes to another till once its 24 hours are over, and the first one is told', async () => {
    const { serial } = await makeVoucher(db())
    const key = await till.hold(serial)
    later({ hours: 24 })
    const other = await loggedInAgain()
    const when = server.clock.now().toISOString()
    const taken = newHoldKey()
    expect(await other.verify(serial, taken)).toMatchObject({ status: 200, data: { hold: { id: taken.id } } })
    const ended = { state: 'ended', by: 'taken over', when }
    expect(await redeemHeld(ask, key)).toEqual(ended)
    expect(await redeemHeld(ask, taken)).toMatchObject({ state: 'redeemed' })
    expect(await askHeld(ask, key)).toEqual(ended)
  })

  it('cannot be held under an id that stands for another voucher or another secret', async () => {
    const [one, two] = [await makeVoucher(db()), await makeVoucher(db())]
    const key = await till.hold(one.serial)
    const reused = { status: 422, error: 'IDEMPOTENCY_KEY_REUSED' }
    expect(await till.verify(two.serial, key)).toMatchObject(reused)
    expect(await till.verify(one.serial, { ...newHoldKey(), id: key.id })).toMatchObject(reused)
    await redeemHeld(ask, key)
    expect(await till.verify(two.serial, key)).toMatchObject(reused)
  })

  it('must be one that exists, asked for by a till that has a name at this branch', async () => {
    const { serial } = await makeVoucher(db())
    expect(await till.verify(makeSerial(), newHoldKey())).toMatchObject({ status: 404, error: 'VOUCHER_UNKNOWN' })
    const stranger = await testTill(ask, await makePosUser(db()))
    const unnamed = { status: 409, error: 'TILL_UNKNOWN' }
    expect(await verifyAt({ ask, token: till.token, till: randomUUID() }, serial, newHoldKey())).toMatchObject(unnamed)
    expect(await verifyAt({ ask, token: till.token, till: stranger.id }, serial, newHoldKey())).toMatchObject(unnamed)
  })
})

describe('fifteen open holds', () => {
  const fill = async (one: TestTill) => {
    for (let held = 0; held < 15; held += 1) await one.hold((await makeVoucher(db())).serial)
  }

  it('are the most for a till, whoever stands at it', async () => {
    await fill(till)
    const { token } = await loggedInAgain()
    const refused = await verifyAt({ ask, token, till: till.id }, (await makeVoucher(db())).serial, newHoldKey())
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
    const [held] = await db().select().from(hold).where(eq(hold.posUserId, user.id)).limit(1)
    await post(
      ask,
      '/api/voucher/release',
      { guid: held!.voucherId, since: START },
      (await logIn(ask, merchant.main)).token,
    )
    expect(await second.verify(serial, key)).toMatchObject({ status: 200 })
    expect(await second.verify((await makeVoucher(db())).serial, newHoldKey())).toMatchObject(refused)
    later({ hours: 24 })
    const third = await testTill(ask, user)
    expect(await third.verify((await makeVoucher(db())).serial, newHoldKey())).toMatchObject({ status: 200 })
  })
})

describe('redeeming what is held', () => {
  it('needs the secret alone, and credits who verified', async () => {
    const user = await makePosUser(db(), merchant)
    const mine = await testTill(ask, user, { name: 'Till 7' })
    const voucher = await makeVoucher(db())
    const key = await mine.hold(voucher.serial)
    later({ hours: 30 })
    // The session ended hours ago, and another cashier is logged in at this till.
    await loggedInAgain()
    expect(await redeemHeld(ask, key)).toMatchObject({
      state: 'redeemed',
      receipt: {
        id: key.id,
        pos_username: user.loginName,
        branch_name: merchant.branch.name,
        till: 'Till 7',
        recorded_at: server.clock.now().toISOString(),
      },
    })
    expect(await rowsOf(voucher.id)).toMatchObject([{ posUserId: user.id, tillId: mine.id, tillName: 'Till 7' }])
    expect(await stored(voucher.id)).toMatchObject({ status: 'Used', branchId: merchant.branch.id })
    expect(await openHold(voucher.id)).toBeUndefined()
    expect(await ledgerCheck(server.database)).toMatchObject({ balanced: true })
  })

  it.each([
    ['the tap, while it lies within the ten minutes', '2026-11-21T02:07:00.000Z', '2026-11-21T02:07:00.000Z'],
    ['the end of the ten minutes, for a clock that is ahead', '2026-11-21T09:00:00.000Z', '2026-11-21T02:10:00.000Z'],
    ['the beginning of the hold, for a clock that is behind', '1970-01-01T00:00:00.000Z', START],
    ['the end of the ten minutes, when no time is told', undefined, '2026-11-21T02:10:00.000Z'],
  ])('is dated by %s', async (_, tapped_at, expected) => {
    const voucher = await makeVoucher(db())
    const key = await till.hold(voucher.serial)
    later({ hours: 5 })
    expect(await redeemHeld(ask, key, tapped_at ? { tapped_at } : {})).toMatchObject({
      receipt: { redeemed_at: expected, recorded_at: '2026-11-21T07:00:00.000Z' },
    })
    expect((await stored(voucher.id)).usedAt?.toISOString()).toBe(expected)
  })

  it('is never dated after it was recorded', async () => {
    const { serial } = await makeVoucher(db())
    const key = await till.hold(serial)
    later({ minutes: 2 })
    const told = await redeemHeld(ask, key, { tapped_at: '2026-11-21T02:08:00.000Z' })
    expect(told).toMatchObject({ receipt: { redeemed_at: '2026-11-21T02:02:00.000Z' } })
  })

  it('judges the expiry of the day it was held, not of the day it is uploaded', async () => {
    const { serial } = await makeVoucher(db(), { expiresOn: '2026-11-21' })
    const key = await till.hold(serial)
    later({ days: 3 })
    expect(await redeemHeld(ask, key)).toMatchObject({ state: 'redeemed' })
  })

  it('VCH-02, VCH-07: answers the same again, 24 hours and 30 days later as at first, and says so', async () => {
    const { serial, id } = await makeVoucher(db())
    const key = await till.hold(serial)
    const first = await redeemHeld(ask, key, { tapped_at: START })
    for (const by of [{ minutes: 4 }, { hours: 24 }, { days: 30 }]) {
      later(by)
      const again = await redeemHeld(ask, key)
      expect(again).toEqual({ ...first, replayed: true })
    }
    expect(await rowsOf(id)).toHaveLength(1)
  })

  it('VCH-03: the id of one voucher never takes another', async () => {
    const [one, two] = [await makeVoucher(db()), await makeVoucher(db())]
    const key = await till.hold(one.serial)
    await redeemHeld(ask, key)
    expect(await till.verify(two.serial, key)).toMatchObject({ status: 422, error: 'IDEMPOTENCY_KEY_REUSED' })
    expect(await rowsOf(two.id)).toEqual([])
  })

  it('VCH-11: of fifteen vouchers for one bill, one of them used, takes fourteen', async () => {
    const vouchers = await Promise.all(Array.from({ length: 15 }, () => makeVoucher(db())))
    await redeemHeld(ask, await neighbour.hold(vouchers[4]!.serial))
    const verdicts = []
    for (const { serial } of vouchers) {
      const key = newHoldKey()
      const verified = await till.verify(serial, key)
      verdicts.push(verified.error ?? (await redeemHeld(ask, key)).state)
    }
    expect(verdicts).toEqual(vouchers.map((_, at) => (at === 4 ? 'VOUCHER_ALREADY_USED' : 'redeemed')))
    expect(await ledgerCheck(server.database)).toMatchObject({ balanced: true })
  })
})

describe('the secret of a hold', () => {
  it('is no session: nothing but till/sync takes it', async () => {
    const key = await till.hold((await makeVoucher(db())).serial)
    for (const bearer of [key.secret, `hold_${key.secret}`])
      expect(await get(ask, '/api/account/my_info', bearer)).toMatchObject({ status: 401, error: 'TOKEN_INVALID' })
  })

  it('opens its own hold only, and a wrong one is never a 401', async () => {
    const [one, two] = [await makeVoucher(db()), await makeVoucher(db())]
    const [mine, other] = [await till.hold(one.serial), await till.hold(two.serial)]
    const crossed = { id: other.id, secret: mine.secret }
    const unknown = { state: 'unknown' }
    for (const key of [crossed, { ...newHoldKey(), id: other.id }]) {
      for (const tell of [redeemHeld, askHeld, cancelHeld, voidHeld]) expect(await tell(ask, key)).toEqual(unknown)
    }
    expect(await redeemHeld(ask, newHoldKey())).toEqual(unknown)
    await redeemHeld(ask, other)
    for (const tell of [redeemHeld, askHeld, voidHeld]) expect(await tell(ask, crossed)).toEqual(unknown)
  })

  it('is kept as a hash, and travels back in no answer', async () => {
    const { serial, id } = await makeVoucher(db())
    const key = newHoldKey()
    const { body } = await till.verify(serial, key)
    const kept = JSON.stringify([await stored(id), body, await db().select().from(hold)])
    expect(kept).not.toContain(key.secret)
    expect(JSON.stringify(server.log.events)).not.toContain(key.secret)
  })
})

it('what became of a hold is told from the first moment to the last', async () => {
  const { serial } = await makeVoucher(db())
  const key = newHoldKey()
  expect(await askHeld(ask, key)).toEqual({ state: 'unknown' })
  const { data: verified } = await till.verify(serial, key)
  expect(await askHeld(ask, key)).toEqual({ state: 'held', hold: verified.hold })
  const redeemed = await redeemHeld(ask, key)
  expect(await askHeld(ask, key)).toEqual({ ...redeemed, replayed: true })
  const voided = await voidHeld(ask, key)
  expect(await askHeld(ask, key)).toEqual(voided)
})

describe('what a voucher costs the database', () => {
  it('is one packet for its check and one for its redemption, with what it locks in one order that nobody may change', async () => {
    const till = await testTill(ask, await makePosUser(db()))
    const { serial } = await makeVoucher(db())
    const key = newHoldKey()
    const names = async (work: () => Promise<unknown>) =>
      // BEGIN also sets the planner settings of the counter.
      (await sentStatements(work)).map(({ name, text }) => name ?? text.split(';')[0])
    expect(await names(() => till.verify(serial, key))).toEqual([
      'BEGIN',
      'lock_callers',
      'lock_vouchers',
      'hold',
      'COMMIT',
    ])
    expect(await names(() => redeemHeld(ask, key))).toEqual(['BEGIN', 'lock_holds', 'settle', 'COMMIT'])
  })

  it('VCH-10: is the same for whoever has guessed too often, by the id of a hold of theirs too: it is there, or it is not', async () => {
    const cashier = await makePosUser(db())
    const till = await testTill(ask, cashier)
    const [own, other] = [await makeVoucher(db()), await makeVoucher(db())]
    const key = await till.hold(own.serial)
    for (let n = 0; n < THROTTLES.unknownSerial.failures; n += 1) {
      await countFailure(db(), THROTTLES.unknownSerial, cashier.id, server.clock.now())
    }
    const sentFor = async (serial: string) => {
      const sent = await sentStatements(async () =>
        expect(await till.verify(serial, key)).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' }),
      )
      return sent.map(({ text }) => text)
    }
    expect(await sentFor(other.serial)).toEqual(await sentFor(makeSerial()))
  })
})
