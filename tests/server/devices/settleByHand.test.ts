import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { ledgerCheck } from '../../../server/db/redemptions/ledger.ts'
import { changeTill } from '../../../server/db/redemptions/tills.ts'
import { activity } from '../../../server/db/schema/activity.ts'
import { redemption } from '../../../server/db/schema/redemptions.ts'
import { runCommand } from '../../../server/desk/runCommand.ts'
import type { Device, DeviceRow } from '../../../src/contract/devices/devices.ts'
import type { Notices } from '../../../src/contract/notices.ts'
import type { TablePage } from '../../../src/contract/tables/tableQuery.ts'
import type { Voucher as VoucherDetail } from '../../../src/contract/vouchers.ts'
import {
  countByStatus,
  loggedInClient,
  withoutRequestId,
  type LoggedInClient,
} from '../../support/api/loggedInClient.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeUser,
  makeVoucher,
  type Merchant,
  type PosUser,
} from '../../support/database/builders.ts'
import {
  askHeld,
  cancelHeld,
  newHoldKey,
  redeemHeld,
  testTill,
  voidHeld,
  type HoldKey,
  type TestTill,
} from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

const START = '2026-11-21T02:00:00.000Z'
const REASON = 'The customer paid with it'

let merchant: Merchant
let main: LoggedInClient
let cashier: PosUser
let till: TestTill
beforeEach(async () => {
  server.clock.set(START)
  merchant = await makeMerchant(db())
  cashier = await makePosUser(db(), merchant)
  till = await testTill(ask, cashier)
  main = await loggedInClient(ask, merchant.main)
})

/** Moves the clock and logs the main account in again, because its session ends earlier. */
async function later(by: Parameters<typeof server.clock.advance>[0]): Promise<void> {
  server.clock.advance(by)
  main = await loggedInClient(ask, merchant.main)
}
const rowsOf = (voucherId: string) => db().select().from(redemption).where(eq(redemption.voucherId, voucherId))

async function held(at = till) {
  const voucher = await makeVoucher(db())
  return { voucher, key: await at.hold(voucher.serial) }
}

const settle = ({ id }: Pick<HoldKey, 'id'>, by = main, reason = REASON) => by.post('/hold/settle', { id, reason })

const PAGE = { start: 0, limit: 50, order_by: [{ column: 'attention', sort_type: 'desc' }] }
async function rows(query: object = {}, by = main): Promise<DeviceRow[]> {
  return (await by.post<TablePage<DeviceRow>>('/device/datatable', { ...PAGE, ...query })).data.rows
}

async function device(by = main): Promise<Device> {
  const row = (await rows({}, by)).find(({ till_guid }) => till_guid === till.id)!
  return (await by.get<Device>(`/device/get/${row.guid}`)).data
}

describe('what a till held and never settled', () => {
  it('is named at Tills once its cashier’s ten minutes are over, with the cashier and the minute', async () => {
    const { voucher, key } = await held()
    await later({ minutes: 10 })
    expect(await device()).toMatchObject({ unsettled: { count: 0, cents: 0 }, unsettled_holds: [] })
    await later({ minutes: 1 })
    expect((await rows())[0]).toMatchObject({ till_guid: till.id, unsettled: { count: 1, cents: 1_000 } })
    expect((await device()).unsettled_holds).toEqual([
      {
        id: key.id,
        voucher_guid: voucher.id,
        serial: voucher.serial,
        denomination_cents: 1_000,
        pos_username: cashier.loginName,
        since: START,
        ends: '2026-11-22T02:00:00.000Z',
        can_be_settled: true,
      },
    ])
  })

  it('is no longer there once its till has settled it, or somebody has released it', async () => {
    const [redeemed, cancelled, released] = [await held(), await held(), await held()]
    await later({ minutes: 11 })
    expect((await device()).unsettled).toEqual({ count: 3, cents: 3_000 })
    await redeemHeld(ask, redeemed.key)
    await cancelHeld(ask, cancelled.key)
    await main.post('/voucher/release', { guid: released.voucher.id, since: START })
    expect((await device()).unsettled).toEqual({ count: 0, cents: 0 })
  })

  it('stays named for a till that was revoked, and past its 24 hours', async () => {
    await held()
    await later({ minutes: 11 })
    await main.post(`/device/${(await device()).guid}/revoke`, { remove: true })
    expect(await device()).toMatchObject({ unsettled: { count: 1 }, unsettled_holds: [{ can_be_settled: true }] })
    await later({ hours: 24 })
    expect(await device()).toMatchObject({ unsettled: { count: 1 }, unsettled_holds: [{ can_be_settled: false }] })
  })

  it('stays with the branch that a till was moved from, and can be settled there', async () => {
    const { key } = await held()
    const to = await makeBranch(db(), merchant.organisation)
    await later({ minutes: 11 })
    const { guid } = await device()
    await changeTill(db(), guid, { enrolledAt: server.clock.now() })
    expect(await main.post(`/device/${guid}/move`, { branch_guid: to.id })).toMatchObject({ status: 200 })
    const counts = (await rows()).map(({ branch_guid, unsettled }) => [branch_guid, unsettled.count])
    expect(counts).toEqual([
      [merchant.branch.id, 1],
      [to.id, 0],
    ])
    expect(await settle(key)).toMatchObject({ status: 200 })
    const { data } = await main.get<Device>(`/device/get/${guid}`)
    expect(data).toMatchObject({ unsettled: { count: 0 }, settled_by_hand: [{ id: key.id }] })
  })

  it('is found by its filter, comes before what can wait, and is counted for each till alone', async () => {
    await testTill(ask, await makePosUser(db(), merchant), { name: 'Quiet' })
    await held()
    await held()
    await later({ minutes: 11 })
    expect((await rows()).map(({ unsettled }) => unsettled.count)).toEqual([2, 0])
    const found = await rows({ other_params: [{ key: 'state', value: 'not settled' }] })
    expect(found.map(({ till_guid }) => till_guid)).toEqual([till.id])
  })
})

describe('settling by hand', () => {
  it('counts once, from the minute of the hold, and names its person and the reason', async () => {
    const { voucher, key } = await held()
    await later({ minutes: 11 })
    expect(await settle(key)).toMatchObject({ status: 200, data: { settled: true } })
    const at = server.clock.now().toISOString()
    const by = merchant.main.loginName
    const ledger = await rowsOf(voucher.id)
    expect(ledger).toMatchObject([
      { id: key.id, posUserId: cashier.id, branchId: merchant.branch.id, amountCents: 1_000 },
    ])
    expect(ledger[0]!.redeemedAt.toISOString()).toBe(START)
    expect(ledger[0]!.recordedAt.toISOString()).toBe(at)
    expect(await device()).toMatchObject({
      unsettled: { count: 0, cents: 0 },
      unsettled_holds: [],
      late: { count: 1, cents: 1_000, newest_at: at },
      settled_by_hand: [
        { id: key.id, serial: voucher.serial, denomination_cents: 1_000, redeemed_at: START, by, reason: REASON },
      ],
    })
    const { data } = await main.get<VoucherDetail>(`/voucher/get/${voucher.id}`)
    expect(data.history).toMatchObject([
      { event: 'Redeemed', late: { settled: { by, reason: REASON }, reviewed: null } },
    ])
    const log = await db().select().from(activity).where(eq(activity.subjectId, voucher.id))
    expect(log).toMatchObject([{ actor: by, action: 'hold.settled', details: { till: 'Till 2', reason: REASON } }])
    expect(await ledgerCheck(server.database)).toMatchObject({ balanced: true })
  })

  it('is done already when the same person says it again, and refused to anybody else', async () => {
    const { voucher, key } = await held()
    const own = await loggedInClient(ask, await makeUser(db(), 'Branch Merchant', merchant))
    expect(await settle(key, own)).toMatchObject({ status: 200 })
    expect(await settle(key, own, 'Once more')).toMatchObject({ status: 200, data: { settled: true } })
    expect(await settle(key)).toMatchObject({ status: 409, error: 'INVALID_STATE' })
    expect(await rowsOf(voucher.id)).toHaveLength(1)
    expect((await device()).settled_by_hand).toMatchObject([{ reason: REASON }])
    expect(await db().select().from(activity).where(eq(activity.subjectId, voucher.id))).toHaveLength(1)
  })

  it('needs a reason', async () => {
    const { key } = await held()
    for (const reason of ['', '   ', 'x'.repeat(1_001)]) {
      expect(await settle(key, main, reason)).toMatchObject({ status: 422, error: 'VALIDATION_FAILED' })
    }
    expect((await askHeld(ask, key)).state).toBe('held')
  })

  it('ACL-05: is for the scope that holds: not for another branch, another organisation, or the till', async () => {
    const { key } = await held()
    const elsewhere = await makeBranch(db(), merchant.organisation)
    const sibling = await makeUser(db(), 'Branch Merchant', { organisation: merchant.organisation, branch: elsewhere })
    for (const user of [sibling, (await makeMerchant(db())).main]) {
      const stranger = await loggedInClient(ask, user)
      const [ours, absent] = [await settle(key, stranger), await settle({ id: randomUUID() }, stranger)]
      expect(ours).toMatchObject({ status: 404, error: 'NOT_FOUND' })
      expect(withoutRequestId(ours)).toEqual(withoutRequestId(absent))
    }
    expect(await settle(key, await loggedInClient(ask, cashier))).toMatchObject({ status: 403 })
    expect((await askHeld(ask, key)).state).toBe('held')
  })

  it('is too late at the end of the 24 hours, when its till still may', async () => {
    const { voucher, key } = await held()
    await later({ hours: 24 })
    expect(await settle(key)).toMatchObject({ status: 409, error: 'INVALID_STATE' })
    expect(await rowsOf(voucher.id)).toEqual([])
    expect(await redeemHeld(ask, key)).toMatchObject({ state: 'redeemed', replayed: false })
  })

  it('is too late for a hold that ended otherwise', async () => {
    const [cancelled, redeemed] = [await held(), await held()]
    await cancelHeld(ask, cancelled.key)
    await redeemHeld(ask, redeemed.key)
    for (const { key } of [cancelled, redeemed]) {
      expect(await settle(key)).toMatchObject({ status: 409, error: 'INVALID_STATE' })
    }
    expect((await device()).late.count).toBe(0)
  })

  it('leaves a till that comes back with a replay, whatever it says', async () => {
    const [one, other] = [await held(), await held()]
    await later({ minutes: 11 })
    await settle(one.key)
    await settle(other.key)
    await later({ minutes: 11 })
    expect(await redeemHeld(ask, one.key, { tapped_at: START })).toMatchObject({
      state: 'redeemed',
      replayed: true,
      receipt: { id: one.key.id, redeemed_at: START },
    })
    expect(await cancelHeld(ask, other.key)).toMatchObject({ state: 'redeemed', receipt: { id: other.key.id } })
    expect(await voidHeld(ask, other.key)).toMatchObject({ state: 'redeemed' })
    for (const { voucher } of [one, other]) expect(await rowsOf(voucher.id)).toHaveLength(1)
    const again = await testTill(ask, cashier)
    expect(await again.verify(one.voucher.serial, newHoldKey())).toMatchObject({ error: 'VOUCHER_ALREADY_USED' })
  })

  it('of a revoked till is its late upload too, and named as settled by hand', async () => {
    const { key } = await held()
    await later({ minutes: 11 })
    await main.post(`/device/${(await device()).guid}/revoke`, { remove: false })
    expect(await settle(key)).toMatchObject({ status: 200 })
    expect(await device()).toMatchObject({ late: { count: 1 }, settled_by_hand: [{ id: key.id, reason: REASON }] })
  })

  it('is told to its managers, reviewed like any late upload, and listed at the desk before and after', async () => {
    const { voucher, key } = await held()
    await later({ minutes: 11 })
    await settle(key)
    const { guid, late } = await device()
    expect((await main.get<Notices>('/notices')).data.notices).toMatchObject([
      { till: 'Till 2', concern: { is: 'late', count: 1, cents: 1_000 } },
    ])
    const line = `Till 2: ${voucher.serial.replace(/^(.)(.{6})(.{6})$/, '$1 $2 $3')}, $10.00, settled by hand by ${merchant.main.loginName}: "${REASON}"`
    expect(await atDesk()).toContain(`${merchant.branch.name}, ${line}, not reviewed`)
    await main.post(`/device/${guid}/review`, { until: late.newest_at })
    expect(await device()).toMatchObject({
      late: { count: 0 },
      settled_by_hand: [],
      reviewed: { by: merchant.main.loginName },
    })
    expect((await main.get<Notices>('/notices')).data.notices).toEqual([])
    expect(await atDesk()).toContain(`${line}, reviewed 21 Nov 2026, 10:11, by ${merchant.main.loginName}`)
  })
})

async function atDesk(): Promise<string> {
  const printed: string[] = []
  const desk = { ...server.deps, print: (text: string) => void printed.push(text) } as never
  await runCommand(desk, { command: 'list-late-uploads', given: {} })
  return printed.join('\n')
}

describe('settling by hand, at the same moment as', () => {
  const ROUNDS = 8
  const openHold = async () => {
    const one = await held()
    server.clock.advance({ minutes: 1 })
    return one
  }

  it('its till redeems it: there is one redemption, and both hear of it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { voucher, key } = await openHold()
      const [byHand, told] = await Promise.all([settle(key), redeemHeld(ask, key)])
      expect(told).toMatchObject({ state: 'redeemed', replayed: byHand.status === 200 })
      expect([200, 409]).toContain(byHand.status)
      expect(await rowsOf(voucher.id)).toHaveLength(1)
    }
    expect(await ledgerCheck(server.database)).toMatchObject({ balanced: true })
  })

  it('its till cancels it: it is redeemed or free, and both hear which', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { voucher, key } = await openHold()
      const [byHand, told] = await Promise.all([settle(key), cancelHeld(ask, key)])
      const isSettled = byHand.status === 200
      expect(told).toMatchObject(isSettled ? { state: 'redeemed' } : { state: 'ended', by: 'cancelled' })
      expect(await rowsOf(voucher.id)).toHaveLength(isSettled ? 1 : 0)
    }
    expect(await ledgerCheck(server.database)).toMatchObject({ balanced: true })
  })

  it('somebody releases it: one of the two is refused', async () => {
    const other = await loggedInClient(ask, await makeUser(db(), 'Branch Merchant', merchant))
    for (let round = 0; round < ROUNDS; round += 1) {
      const since = server.clock.now().toISOString()
      const { voucher, key } = await openHold()
      const release = other.post('/voucher/release', { guid: voucher.id, since })
      const both = await Promise.all([settle(key), release])
      expect(countByStatus(both)).toEqual({ 200: 1, '409 INVALID_STATE': 1 })
      expect(await rowsOf(voucher.id)).toHaveLength(both[0].status === 200 ? 1 : 0)
    }
    expect(await ledgerCheck(server.database)).toMatchObject({ balanced: true })
  })

  it('somebody else settles it: one of the two names it', async () => {
    const other = await loggedInClient(ask, await makeUser(db(), 'Branch Merchant', merchant))
    for (let round = 0; round < ROUNDS; round += 1) {
      const { voucher, key } = await openHold()
      const both = await Promise.all([settle(key), settle(key, other)])
      expect(countByStatus(both)).toEqual({ 200: 1, '409 INVALID_STATE': 1 })
      expect(await rowsOf(voucher.id)).toHaveLength(1)
    }
  })
})
