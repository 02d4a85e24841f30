import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { activity } from '../../../server/db/schema/activity.ts'
import { taking } from '../../../server/db/schema/redemptions.ts'
import { hashToken, newToken } from '../../../server/services/opaqueToken.ts'
import type { DeviceReport } from '../../../src/contract/devices/deviceReports.ts'
import type { Device, DeviceRow } from '../../../src/contract/devices/devices.ts'
import type { Notices } from '../../../src/contract/notices.ts'
import type { Taking } from '../../../src/contract/redemptions/takings.ts'
import type { TablePage } from '../../../src/contract/tables/tableQuery.ts'
import { makeActors, type Actors } from '../../support/api/actors.ts'
import { get, post, signIn } from '../../support/api/portalClient.ts'
import { signedInClient } from '../../support/api/signedInClient.ts'
import { makePosUser, makeTill, makeVoucher } from '../../support/database/builders.ts'
import { reportHeader, takingsHeader, TestSequence } from '../../support/devices/reportingDevice.ts'
import { sealedFor } from '../../support/redemptions/rescueCopies.ts'
import {
  bearerOf,
  cancelHeld,
  newHoldKey,
  redeemHeld,
  verifyAt,
  type HoldKey,
} from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

const START = '2026-11-21T02:00:00.000Z'

let actors: Actors
beforeEach(async () => {
  server.clock.set(START)
  actors = await makeActors(db())
})

type Taken = HoldKey & { serial: string; taking: Taking }

/** A till that numbers what it takes and says so. */
async function numberingTill() {
  const cookie = newToken()
  const row = await makeTill(db(), actors.till, { name: 'Till 2', tokenHash: hashToken(cookie) })
  const { token } = await signIn(ask, actors.till)
  let sequence = new TestSequence()
  const take = async (): Promise<Taken> => {
    const key = newHoldKey()
    const { serial } = await makeVoucher(db(), { denominationCents: 1_000 })
    expect(await verifyAt(ask, token, row.id, serial, key)).toMatchObject({ status: 200 })
    return { ...key, serial, taking: sequence.take(key.id) }
  }
  const say = async (said: DeviceReport['sequence']) => {
    const report: DeviceReport = {
      at: server.clock.now().toISOString(),
      build: 'b1',
      update_waits: false,
      persistent: true,
      waiting: { count: 0, cents: 0, oldest_at: null },
      refused: 0,
      user: null,
      connection: [],
      check: null,
      ...(said === undefined ? {} : { sequence: said }),
    }
    await ask('/api/health', { headers: { ...reportHeader(report), cookie: `till=${cookie}` } })
    await server.deps.background.settled()
  }
  return {
    row,
    take,
    takeMany: async (count: number) => {
      const taken: Taken[] = []
      for (let each = 0; each < count; each += 1) taken.push(await take())
      return taken
    },
    /** With these numbers still on the device. */
    report: (...open: number[]) => say(sequence.said(open)),
    say,
    /** Its storage is emptied. */
    clear: () => void (sequence = new TestSequence()),
    sequence: () => sequence,
  }
}

const upload = (...taken: Taken[]) =>
  post<{ outcomes: { outcome: string; receipt: { taking?: number } }[] }>(
    ask,
    '/api/voucher/upload',
    {
      redemptions: taken.map(({ id, secret, serial }) => ({ id, secret, serial, redeemed_at: START })),
    },
    undefined,
    takingsHeader(...taken.map((one) => one.taking)),
  )

const redeem = ({ taking: number, ...key }: Taken) =>
  post<{ taking?: number }>(ask, '/api/voucher/redeem', { serial: key.serial }, bearerOf(key), {
    'idempotency-key': key.id,
    ...takingsHeader(number),
  })

async function rowSeenBy(who: Parameters<typeof signedInClient>[1], filter: object[] = []) {
  const client = await signedInClient(ask, who)
  const page = { start: 0, limit: 50, order_by: [{ column: 'attention', sort_type: 'desc' }], other_params: filter }
  return (await client.post<TablePage<DeviceRow>>('/device/datatable', page)).data.rows
}

const missingSeenBy = async (who: Parameters<typeof signedInClient>[1]) =>
  (await rowSeenBy(who)).flatMap(({ missing }) => missing.map(({ kind, from, to }) => [kind, from, to]))

const missing = () => missingSeenBy(actors.users.HRP)

describe('what a till took and does not have any more', () => {
  it('is named with the next report, and what is still on the device is not', async () => {
    const till = await numberingTill()
    const taken = await till.takeMany(6)
    await upload(taken[0]!, taken[3]!)
    await till.report(6)
    expect(await missing()).toEqual([
      ['missing', 2, 3],
      ['missing', 5, 5],
    ])
    // The same again says nothing new.
    await till.report(6)
    expect(await missing()).toHaveLength(2)
  })

  it('is not missing any more when it arrives, by whichever call', async () => {
    const till = await numberingTill()
    const taken = await till.takeMany(4)
    await till.report()
    expect(await missing()).toEqual([['missing', 1, 4]])
    expect(await redeem(taken[0]!)).toMatchObject({ status: 200, data: { taking: 1 } })
    await upload(taken[2]!)
    const copy = await sealedFor(server.deps, actors.organisation, {
      redemptions: [taken[1]!].map(({ id, secret, serial }) => ({ id, secret, serial })),
      takings: takingsHeader(taken[1]!.taking).takings!,
    })
    const main = await signedInClient(ask, actors.users.HRP)
    expect(await main.post('/rescue/import', { copy })).toMatchObject({ status: 200 })
    expect(await missing()).toEqual([['missing', 4, 4]])
    const cancelled = await post(
      ask,
      '/api/voucher/cancel',
      { id: taken[3]!.id },
      bearerOf(taken[3]!),
      takingsHeader(taken[3]!.taking),
    )
    expect(cancelled).toMatchObject({ status: 200, data: { by: 'cancelled', taking: 4 } })
    expect(await missing()).toEqual([])
    await till.report()
    expect(await missing()).toEqual([])
  })

  it('is what was on it at the last report, when its storage was emptied', async () => {
    const till = await numberingTill()
    const [first, second] = await till.takeMany(3)
    await upload(first!)
    await till.report(2, 3)
    expect(await missing()).toEqual([])
    till.clear()
    server.clock.advance({ minutes: 1 })
    await till.say(null)
    expect(await missing()).toEqual([['missing', 2, 3]])
    // A new sequence begins at 1, and the old one is not forgotten.
    await upload(await till.take())
    server.clock.advance({ minutes: 1 })
    await till.report()
    expect(await missing()).toEqual([['missing', 2, 3]])
    await upload(second!)
    expect(await missing()).toEqual([['missing', 3, 3]])
  })

  it('is not judged by a report of a tab that has not seen the newest', async () => {
    const till = await numberingTill()
    await till.report()
    const [first] = await till.takeMany(2)
    const older = till.sequence().said([1, 2])
    await upload(first!)
    await till.report(2)
    await till.say(older)
    server.clock.set(new Date(Date.parse(START) - 60_000).toISOString())
    await till.say(null)
    expect(await missing()).toEqual([])
  })

  it('is said by nobody for a till of the release before', async () => {
    const till = await numberingTill()
    const { taking: _, ...old } = await till.take()
    expect(await redeemHeld(ask, old.serial, old)).toMatchObject({ status: 200 })
    await till.say(undefined)
    expect(await missing()).toEqual([])
  })
})

describe('a number', () => {
  it('is written down once, also when its redemption comes again, and costs no second voucher', async () => {
    const till = await numberingTill()
    const one = await till.take()
    expect(await redeem(one)).toMatchObject({ status: 200, data: { taking: 1 } })
    expect((await upload(one)).data.outcomes).toMatchObject([{ outcome: 'replayed', receipt: { taking: 1 } }])
    expect(await db().select().from(taking).where(eq(taking.holdId, one.id))).toHaveLength(1)
  })

  it('is written down afterwards when it did not come with its redemption', async () => {
    const till = await numberingTill()
    const one = await till.take()
    const first = await redeemHeld(ask, one.serial, one)
    expect(first.data.taking).toBeUndefined()
    expect((await upload(one)).data.outcomes).toMatchObject([{ outcome: 'replayed', receipt: { taking: 1 } }])
    await till.report()
    expect(await missing()).toEqual([])
  })

  it('arrives also with what is refused: the hold was released meanwhile', async () => {
    const till = await numberingTill()
    const one = await till.take()
    await cancelHeld(ask, one)
    expect(await redeem(one)).toMatchObject({ status: 409, error: 'HOLD_ENDED' })
    await till.report()
    expect(await missing()).toEqual([])
  })

  it.each(['', 'nonsense', '-', `${'0'.repeat(36)}.1.${'0'.repeat(64)}`, '-,-,-'])(
    'that cannot be read (%j) refuses no money',
    async (takings) => {
      const till = await numberingTill()
      const one = await till.take()
      const headers = { 'idempotency-key': one.id, takings }
      const answer = await post<{ taking?: number }>(
        ask,
        '/api/voucher/redeem',
        { serial: one.serial },
        bearerOf(one),
        headers,
      )
      expect(answer).toMatchObject({ status: 200 })
      expect(answer.data.taking).toBeUndefined()
    },
  )

  it('is not written down for who has not the secret', async () => {
    const till = await numberingTill()
    const one = await till.take()
    expect(await redeem({ ...one, secret: newHoldKey().secret })).toMatchObject({ error: 'HOLD_UNKNOWN' })
    expect(await db().select().from(taking).where(eq(taking.holdId, one.id))).toEqual([])
  })

  it('that does not fit the one before is named, and so is a newest one that the till has not signed', async () => {
    const till = await numberingTill()
    const [first, second, third] = await till.takeMany(3)
    const forged = { ...second!, taking: { ...second!.taking, previous: 'f'.repeat(64) } }
    await redeem(first!)
    await redeem(forged)
    await redeem(third!)
    await till.say({ ...till.sequence().said()!, hash: 'e'.repeat(64) })
    expect(await missing()).toEqual([['broken', 2, 3]])
  })

  it('of another organisation counts for nothing, whatever sequence it names', async () => {
    const till = await numberingTill()
    const own = await till.take()
    const stranger = await makePosUser(db())
    const there = await makeTill(db(), stranger, { id: till.row.id })
    const { token } = await signIn(ask, stranger)
    const key = newHoldKey()
    const { serial } = await makeVoucher(db())
    await verifyAt(ask, token, there.id, serial, key)
    expect(await redeem({ ...key, serial, taking: own.taking })).toMatchObject({ status: 200 })
    await till.report()
    expect(await missing()).toEqual([['missing', 1, 1]])
  })
})

describe('who manages the till', () => {
  it('sees it first of all tills, by the filter, in the file and in the bell; nobody else does', async () => {
    const till = await numberingTill()
    await till.takeMany(2)
    await makeTill(db(), actors.till, { name: 'A quiet one' })
    await till.report()
    expect((await rowSeenBy(actors.users.Branch)).map(({ name }) => name)).toEqual(['Till 2', 'A quiet one'])
    const filtered = await rowSeenBy(actors.users.HRP, [{ key: 'state', value: 'missing' }])
    expect(filtered.map(({ name }) => name)).toEqual(['Till 2'])
    const client = await signedInClient(ask, actors.users.HRP)
    const { text } = await client.file('/device/export', { start: 0, limit: 10 })
    expect(text.split('\r\n').find((line) => line.startsWith('Till 2'))).toMatch(/,2$/)
    const bell = await get<Notices>(ask, '/api/notices', client.token)
    expect(bell.data.missing_takings).toMatchObject([{ till: 'Till 2', count: 2, number: 1, read: false }])
    const stranger = await makeActors(db())
    expect(await missingSeenBy(stranger.users.HRP)).toEqual([])
    for (const who of [stranger.users.HRP, actors.till]) {
      const { token } = await signIn(ask, who)
      expect((await get<Notices>(ask, '/api/notices', token)).data.missing_takings).toEqual([])
    }
  })

  it('closes it with a reason, which stays with their name, and once', async () => {
    const till = await numberingTill()
    const taken = await till.takeMany(3)
    await till.report()
    const branch = await signedInClient(ask, actors.users.Branch)
    const path = `/device/${till.row.guid}/close_missing`
    const body = { sequence: till.sequence().id, kind: 'missing', from: 1, to: 2, reason: 'The tablet fell.' }
    expect(await branch.post(path, { ...body, reason: ' ' })).toMatchObject({ status: 422 })
    expect(await branch.post(path, body)).toMatchObject({ status: 200 })
    expect(await branch.post(path, body)).toMatchObject({ status: 409, error: 'INVALID_STATE' })
    expect(await missing()).toEqual([['missing', 3, 3]])
    const { data } = await branch.get<Device>(`/device/get/${till.row.guid}`)
    const by = actors.users.Branch.loginName
    expect(data.closed).toMatchObject([{ from: 1, to: 2, closed_by: by, reason: 'The tablet fell.', closed_at: START }])
    const [entry] = await db().select().from(activity).where(eq(activity.action, 'till.missing_closed'))
    expect(entry).toMatchObject({
      subjectName: 'Till 2',
      details: { numbers: '1 to 2', reason: 'The tablet fell.' },
    })
    // What is closed still counts when it arrives.
    expect(await redeem(taken[0]!)).toMatchObject({ status: 200 })
    const stranger = await makeActors(db())
    const other = await signedInClient(ask, stranger.users.HRP)
    expect(await other.post(path, { ...body, from: 3, to: 3 })).toMatchObject({ status: 404 })
  })
})
