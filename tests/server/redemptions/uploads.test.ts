import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { createApp } from '../../../server/app.ts'
import type { Database } from '../../../server/db/engine/Database.ts'
import { redemption } from '../../../server/db/schema/redemptions.ts'
import { newToken } from '../../../server/services/opaqueToken.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { UploadOutcome } from '../../../src/contract/redemptions/redeem.ts'
import { post, type Ask } from '../../support/api/portalClient.ts'
import { makePosUser, makeVoucher } from '../../support/database/builders.ts'
import { cancelHeld, redeemHeld, testTill, type TestTill } from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

let till: TestTill
it.beforeAll(async () => {
  till = await testTill(ask, await makePosUser(db()))
})

interface Row {
  id: string
  secret: string
  serial: string
}

/** A voucher that this till holds, as it is stored there. */
async function heldRow(): Promise<Row> {
  const { serial } = await makeVoucher(db())
  return { ...(await till.hold(serial)), serial }
}
const heldRows = (count: number) => Promise.all(Array.from({ length: count }, heldRow))

const upload = async (rows: readonly object[], by: Ask = ask) =>
  post<{ outcomes: UploadOutcome[] }>(by, '/api/voucher/upload', { redemptions: rows })

async function ledgerOf(rows: readonly Row[]) {
  const ids = new Set(rows.map(({ id }) => id))
  return (await db().select().from(redemption)).filter(({ id }) => ids.has(id))
}

const told = ({ data }: { data: { outcomes: UploadOutcome[] } }) =>
  data.outcomes.map((row) => (row.outcome === 'refused' ? row.error : row.outcome))

/**
 * The three invariants of money hold for each row as if it had come alone: a voucher is redeemed at most once; what was acknowledged
 * is in the ledger; nobody is told "redeemed" without a receipt.
 */
describe('an upload of what waits', () => {
  it('redeems each row by the secret of its hold, without a session, and in the order of the rows', async () => {
    const rows = await heldRows(5)
    const answer = await upload(rows)
    expect(told(answer)).toEqual(rows.map(() => 'redeemed'))
    expect(answer.data.outcomes).toMatchObject(rows.map(({ id, serial }) => ({ id, receipt: { id, serial } })))
    expect(await ledgerOf(rows)).toHaveLength(rows.length)
  })

  it('gives each row an end of its own: what is refused says why, and holds up nothing', async () => {
    const [good, cancelled, stolen, other] = await heldRows(4)
    await cancelHeld(ask, cancelled!)
    const { serial } = await makeVoucher(db())
    const unknown = { id: randomUUID(), secret: newToken(), serial }
    const answer = await upload([cancelled!, { ...stolen!, secret: newToken() }, unknown, good!, { ...other!, serial }])
    expect(told(answer)).toEqual(['HOLD_ENDED', 'HOLD_UNKNOWN', 'HOLD_UNKNOWN', 'redeemed', 'IDEMPOTENCY_KEY_REUSED'])
    expect(answer.data.outcomes[0]).toMatchObject({
      status: 409,
      data: { by: 'cancelled' },
      message: expect.any(String),
    })
    expect(await ledgerOf([good!, cancelled!, stolen!, unknown, other!])).toMatchObject([{ id: good!.id }])
  })

  it('says the same again as often as it comes: each receipt is that of the first time, and the ledger has it once', async () => {
    const rows = await heldRows(3)
    const alone = await redeemHeld(ask, rows[0]!)
    const first = await upload(rows)
    expect(told(first)).toEqual(['replayed', 'redeemed', 'redeemed'])
    const again = await upload(rows)
    expect(told(again)).toEqual(['replayed', 'replayed', 'replayed'])
    const receipts = (answer: typeof first) =>
      answer.data.outcomes.map((row) => (row.outcome === 'refused' ? undefined : row.receipt))
    expect(receipts(again)).toEqual(receipts(first))
    expect(receipts(first)[0]).toEqual(alone.data)
    expect(await ledgerOf(rows)).toHaveLength(3)
  })

  it('redeems at most once when a till sends it many times at once, alone and together', async () => {
    const rows = await heldRows(4)
    const uploads = Array.from({ length: 6 }, () => upload(rows))
    const singles = rows.map((row) => redeemHeld(ask, row))
    const outcomes = (await Promise.all(uploads)).flatMap(told)
    await Promise.all(singles)
    expect(outcomes.filter((one) => one === 'redeemed').length).toBeLessThanOrEqual(rows.length)
    expect(outcomes.filter((one) => !['redeemed', 'replayed', 'VOUCHER_BUSY'].includes(one))).toEqual([])
    expect(told(await upload(rows))).toEqual(rows.map(() => 'replayed'))
    expect(await ledgerOf(rows)).toHaveLength(rows.length)
  })

  it('leaves a row open of which nothing is known, and tells when to come again; the others are redeemed', async () => {
    const rows = await heldRows(3)
    const failing: Database['run'] = (statement, values) =>
      values[0] === rows[1]!.id
        ? Promise.reject(Object.assign(new Error('gone'), { code: '57P01' }))
        : server.database.run(statement, values)
    const app = createApp({ ...server.deps, database: { ...server.database, run: failing } })
    const answer = await upload(rows, (path, init) => app.request(path, init))
    expect(told(answer)).toEqual(['redeemed', 'DB_UNAVAILABLE', 'redeemed'])
    expect(answer.data.outcomes[1]).toMatchObject({ status: 503, retry_after_seconds: 2 })
    expect(told(await upload(rows))).toEqual(['replayed', 'redeemed', 'replayed'])
    expect(await ledgerOf(rows)).toHaveLength(3)
  })

  it('has a row, and at most as many as a till can hold', async () => {
    const row = { id: randomUUID(), secret: newToken(), serial: '2000000000015' }
    const rows = Array.from({ length: LIMITS.uploadRows }, () => ({ ...row, redeemed_at: '2026-11-25T01:00:00.000Z' }))
    expect((await upload(rows)).status).toBe(200)
    expect((await upload([...rows, row])).status).toBe(422)
    expect((await upload([])).status).toBe(422)
    expect((await upload([{ ...row, pin: '104482' }])).status).toBe(422)
    expect((await upload([{ ...row, secret: 'guess' }])).status).toBe(422)
    expect((await upload(Array.from({ length: 100 }, () => row))).status).toBe(413)
  })
})

describe('a server that has more uploads than it takes at one time', () => {
  /** An app whose redemptions wait until they are let go. */
  function slowApp() {
    let letGo = () => undefined as void
    const isOver = new Promise<void>((resolve) => (letGo = resolve))
    const waited = new Set<unknown>()
    const slow: Database['run'] = async (statement, values) => {
      waited.add(values[0])
      if (!quick.has(values[0])) await isOver
      return server.database.run(statement, values)
    }
    const quick = new Set<unknown>()
    const app = createApp({ ...server.deps, database: { ...server.database, run: slow } })
    const by: Ask = (path, init) => app.request(path, init)
    return { app, by, letGo, quick, waited }
  }

  it('lets six hundred wait, refuses the next before it reads it, and lets the counter in; all it took is in the ledger', async () => {
    const { by, letGo, quick } = slowApp()
    const rows = await heldRows(8)
    const live = await heldRow()
    quick.add(live.id)
    const underWay = rows.map((row) => upload([row], by))
    const waiting = Array.from({ length: 600 }, () => upload(rows.slice(0, 1), by))
    const refused = await upload([live], by)
    expect(refused).toMatchObject({ status: 503, error: 'SERVER_BUSY' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await redeemHeld(by, live)).status).toBe(200)
    letGo()
    const [first, ...others] = (await Promise.all(underWay)).flatMap(told)
    expect(others).toEqual(rows.slice(1).map(() => 'redeemed'))
    // Those who waited ask for the first row too, and one of them may overtake it.
    const ofFirst = [first, ...(await Promise.all(waiting)).flatMap(told)]
    expect(ofFirst.filter((one) => one === 'redeemed')).toHaveLength(1)
    expect(ofFirst.filter((one) => one !== 'redeemed')).toEqual(waiting.map(() => 'replayed'))
    expect(told(await upload([live], by))).toEqual(['replayed'])
    expect(await ledgerOf([...rows, live])).toHaveLength(9)
  })

  it('leaves out what waits once its till has hung up, which asks again', async () => {
    const { app, by, letGo, waited } = slowApp()
    const rows = await heldRows(8)
    const left = await heldRow()
    const socket = { destroyed: false, remoteAddress: '127.0.0.1' }
    const leaving: Ask = (path, init) => app.request(path, init, { incoming: { socket } })
    const underWay = rows.map((row) => upload([row], by))
    const unheard = upload([left], leaving)
    await expect.poll(() => waited.size).toBe(8)
    socket.destroyed = true
    letGo()
    expect((await Promise.all(underWay)).flatMap(told)).toEqual(rows.map(() => 'redeemed'))
    expect(await unheard).toMatchObject({ status: 503, error: 'SERVER_BUSY' })
    expect(await ledgerOf([left])).toEqual([])
    expect(told(await upload([left], by))).toEqual(['redeemed'])
  })

  it('carries out two rows of an upload at one time, and no more', async () => {
    const { by, letGo, waited } = slowApp()
    const rows = await heldRows(5)
    const underWay = upload(rows, by)
    await expect.poll(() => waited.size).toBe(2)
    letGo()
    expect(told(await underWay)).toEqual(rows.map(() => 'redeemed'))
  })
})
