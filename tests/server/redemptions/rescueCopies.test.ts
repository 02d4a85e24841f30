import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { CompactEncrypt, importJWK } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../../server/app.ts'
import { activity } from '../../../server/db/schema/activity.ts'
import { redemption, rescueKey } from '../../../server/db/schema/redemptions.ts'
import { newToken } from '../../../server/services/opaqueToken.ts'
import { makeVoucherKey } from '../../../server/services/vouchers/voucherKeys.ts'
import type { AnswerOf } from '../../../src/contract/endpoint.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { UploadOutcome } from '../../../src/contract/redemptions/redeem.ts'
import type { importRescueCopy, RescueKey } from '../../../src/contract/redemptions/rescue.ts'
import { sealRescueCopy } from '../../../src/offline/redemptions/rescueCopy.ts'
import { get, post, signIn, type Ask } from '../../support/api/portalClient.ts'
import { makeMerchant, makePosUser, makeVoucher, type Merchant } from '../../support/database/builders.ts'
import { acceptingTill, allow } from '../../support/redemptions/acceptingTill.ts'
import { sealedFor } from '../../support/redemptions/rescueCopies.ts'
import { cancelHeld, redeemHeld, testTill, type HoldKey, type TestTill } from '../../support/redemptions/testTill.ts'
import { testSecrets } from '../../support/server/testSecrets.ts'
import { testServer, type TestServer } from '../../support/server/testServer.ts'

let server: TestServer
let ask: Ask
let merchant: Merchant
let main: string
let till: TestTill
let otherTill: TestTill
beforeAll(async () => {
  server = await testServer()
  ask = (path, init) => server.app.request(path, init)
  const { db } = server.database
  merchant = await makeMerchant(db)
  till = await testTill(ask, await makePosUser(db, merchant))
  otherTill = await testTill(ask, await makePosUser(db, merchant), { name: 'Till 3' })
  main = (await signIn(ask, merchant.main)).token
})
afterAll(() => server.close())

interface Row extends HoldKey {
  serial: string
  redeemed_at: string
}

/** What waits on the till, as it is stored there. */
async function taken(count: number): Promise<Row[]> {
  const row = async () => {
    const { serial } = await makeVoucher(server.database.db, { denominationCents: 1_000 })
    return { ...(await till.hold(serial)), serial, redeemed_at: server.clock.now().toISOString() }
  }
  return Promise.all(Array.from({ length: count }, row))
}

const sealed = (redemptions: Row[]) => sealedFor(server.deps, merchant.organisation, { redemptions })

type Imported = AnswerOf<typeof importRescueCopy>

const importAs = (token: string, copy: string) => post<Imported>(ask, '/api/rescue/import', { copy }, token)

const upload = (redemptions: Row[]) => post<{ outcomes: UploadOutcome[] }>(ask, '/api/voucher/upload', { redemptions })

const said = (result: UploadOutcome) => (result.outcome === 'refused' ? result.error : result.outcome)
const told = ({ data }: { data: Imported }) => data.rows.map(({ result }) => said(result))
const receipts = (outcomes: UploadOutcome[]) =>
  outcomes.map((row) => (row.outcome === 'refused' ? row.error : row.receipt.receipt_number))

const ledgerOf = (rows: readonly { id: string }[]) =>
  server.database.db
    .select()
    .from(redemption)
    .where(
      inArray(
        redemption.id,
        rows.map(({ id }) => id),
      ),
    )

describe('a rescue copy', () => {
  it('of a till with fifteen is imported at another till and in the portal, twice, and the till comes back: still fifteen', async () => {
    const rows = await taken(LIMITS.uploadRows)
    const copy = await sealed(rows)
    const first = await importAs(otherTill.token, copy)
    expect(first).toMatchObject({ status: 200, data: { till: 'Till 2' } })
    expect(told(first)).toEqual(rows.map(() => 'redeemed'))
    for (const token of [main, otherTill.token, main]) {
      expect(told(await importAs(token, copy))).toEqual(rows.map(() => 'replayed'))
    }
    const back = await upload(rows)
    expect(back.data.outcomes.map(said)).toEqual(rows.map(() => 'replayed'))
    expect(receipts(back.data.outcomes)).toEqual(receipts(first.data.rows.map(({ result }) => result)))
    const ledger = await ledgerOf(rows)
    expect(ledger).toHaveLength(LIMITS.uploadRows)
    // The credit is the cashier's who took it, at the till that held it.
    expect(new Set(ledger.map(({ tillId, organisationId }) => [tillId, organisationId].join()))).toEqual(
      new Set([[till.id, merchant.organisation.id].join()]),
    )
  })

  it('and the upload of its own till at the same moment redeem each voucher once', async () => {
    const rows = await taken(6)
    const copy = await sealed(rows)
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => importAs(otherTill.token, copy).then(told)),
      ...Array.from({ length: 4 }, () => upload(rows).then(({ data }) => data.outcomes.map(said))),
      ...rows.map((row) => redeemHeld(ask, row.serial, row).then(() => [])),
    ])
    const said8 = answers.flat()
    expect(said8.filter((one) => one === 'redeemed').length).toBeLessThanOrEqual(rows.length)
    expect(said8.filter((one) => !['redeemed', 'replayed', 'VOUCHER_BUSY'].includes(one))).toEqual([])
    expect(told(await importAs(main, copy))).toEqual(rows.map(() => 'replayed'))
    expect(await ledgerOf(rows)).toHaveLength(rows.length)
  })

  it('gives each row an end of its own, and stands in the activity log with its counts and its amount', async () => {
    const rows = await taken(3)
    await cancelHeld(ask, rows[0]!)
    await upload([rows[1]!])
    const id = crypto.randomUUID()
    const guessed = { ...rows[0]!, id, secret: newToken() }
    const answer = await importAs(main, await sealed([...rows, guessed]))
    expect(told(answer)).toEqual(['HOLD_ENDED', 'replayed', 'redeemed', 'HOLD_UNKNOWN'])
    expect(answer.data.rows.map(({ serial }) => serial)).toEqual([...rows, guessed].map(({ serial }) => serial))
    expect(await ledgerOf([...rows, guessed])).toHaveLength(2)
    const noted = await server.database.db.select().from(activity).where(eq(activity.action, 'rescue_copy.imported'))
    expect(noted.at(-1)).toMatchObject({
      actor: merchant.main.loginName,
      subjectType: 'till',
      subjectName: 'Till 2',
      details: { count: 1, amount_cents: 1_000, already: 1, refused: 2 },
    })
  })
})

describe('a rescue copy of what was accepted without a check', () => {
  beforeAll(async () => void (await makeVoucherKey(server.deps)))

  /** One that nobody else used, and one that the till beside has redeemed. */
  async function accepted() {
    const { db } = server.database
    await allow(db, merchant.branch)
    const tablet = await acceptingTill(server, await makePosUser(db, merchant))
    await tablet.renew()
    const [won, lost] = [await makeVoucher(db), await makeVoucher(db)]
    await redeemHeld(ask, lost.serial, await till.hold(lost.serial))
    const rows = [await tablet.accept(won), await tablet.accept(lost)]
    const upload = { accepted: rows }
    return { tablet, rows, won, lost, upload }
  }

  it('is settled as its till would settle it, once, whoever brings it how often', async () => {
    const { tablet, rows, won, lost, upload } = await accepted()
    const TILL = randomUUID()
    const from = { till: { id: TILL, name: 'Till 9' } }
    const copy = await sealedFor(server.deps, merchant.organisation, { ...from, redemptions: [], accepted: upload })
    const first = await importAs(otherTill.token, copy)
    expect(first.data.rows).toMatchObject([
      { serial: won.serial, result: { outcome: 'redeemed', id: rows[0]!.id } },
      { serial: lost.serial, result: { outcome: 'refused', error: 'VOUCHER_ALREADY_USED' } },
    ])
    const noted = await server.database.db
      .select({ details: activity.details })
      .from(activity)
      .where(and(eq(activity.action, 'rescue_copy.imported'), eq(activity.subjectId, TILL)))
    expect(noted).toEqual([{ details: { count: 1, amount_cents: 1_000, already: 0, refused: 1 } }])
    expect(told(await importAs(main, copy))).toEqual(['replayed', 'VOUCHER_ALREADY_USED'])
    expect(await tablet.upload()).toMatchObject([
      { outcome: 'redeemed' },
      { outcome: 'lost', reason: 'used elsewhere' },
    ])
    expect(await ledgerOf(rows)).toMatchObject([{ tillId: tablet.row.id, amountCents: 1_000 }])
  })

  it('says of what a person reviews, and of what waits for another hold, that it is not paid now', async () => {
    const { tablet, rows } = await accepted()
    const { db } = server.database
    const held = await makeVoucher(db)
    await till.hold(held.serial)
    const waits = await tablet.accept(held)
    const dear = await tablet.accept(await makeVoucher(db, { denominationCents: 2_000 }))
    const copy = await sealedFor(server.deps, merchant.organisation, {
      redemptions: [],
      accepted: { accepted: [...rows, waits, dear] },
    })
    const [, , waiting, review] = (await importAs(main, copy)).data.rows
    expect(waiting).toMatchObject({ result: { error: 'VOUCHER_BUSY', status: 409, retry_after_seconds: 300 } })
    expect(review).toMatchObject({
      result: { error: 'INVALID_STATE', message: expect.stringContaining('A manager reviews it') },
    })
    expect(await ledgerOf([waits, dear])).toEqual([])
  })

  it('of a till of another organisation settles nothing, whoever has its rows', async () => {
    const { rows, upload } = await accepted()
    const { db } = server.database
    const stranger = await makeMerchant(db)
    const { token } = await signIn(ask, stranger.main)
    const copy = await sealedFor(server.deps, stranger.organisation, { redemptions: [], accepted: upload })
    expect(told(await importAs(token, copy))).toEqual(rows.map(() => 'GRANT_UNKNOWN'))
    expect(await ledgerOf(rows)).toEqual([])
  })
})

describe('VCH-14: a rescue copy is opened by nobody but its organisation', () => {
  const refused = { status: 422, error: 'RESCUE_COPY_UNREADABLE' }

  it('another organisation, its till or its merchant, is refused, and nothing is redeemed', async () => {
    const rows = await taken(2)
    const copy = await sealed(rows)
    const { db } = server.database
    const stranger = await makeMerchant(db)
    const strangersTill = await testTill(ask, await makePosUser(db, stranger))
    const { token } = await signIn(ask, stranger.main)
    for (const by of [token, strangersTill.token]) expect(await importAs(by, copy)).toMatchObject(refused)
    // With a key of their own they open it no more than without one.
    expect(await get(ask, '/api/rescue/key', strangersTill.token)).toMatchObject({ status: 200 })
    expect(await importAs(token, copy)).toMatchObject(refused)
    expect((await importAs('', copy)).status).toBe(401)
    expect(await ledgerOf(rows)).toEqual([])
    expect(told(await importAs(main, copy))).toEqual(['redeemed', 'redeemed'])
  })

  it('what was touched, sealed otherwise, or says something else is refused', async () => {
    const rows = await taken(1)
    const copy = await sealed(rows)
    const { data: key } = await get<RescueKey>(ask, '/api/rescue/key', till.token)
    const [head, , ...rest] = copy.split('.')
    const flipped = copy.replace(/.(?=.{30}$)/, (one) => (one === 'A' ? 'B' : 'A'))
    const told = { till: { id: till.id, name: 'Till 2' }, made_at: rows[0]!.redeemed_at }
    const many = Array.from({ length: LIMITS.uploadRows + 1 }, () => rows[0]!)
    const weak = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify({ ...told, redemptions: rows })))
      .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128GCM' })
      .encrypt(await importJWK(key.key, 'ECDH-ES'))
    const large = { ...told, redemptions: rows, more: 'x'.repeat(100_000) }
    for (const one of [
      flipped,
      weak,
      await sealRescueCopy(key, { ...told, redemptions: many }),
      await sealRescueCopy(key, { ...told, redemptions: [] }),
      await sealRescueCopy(key, large),
    ]) {
      expect(await importAs(main, one)).toMatchObject(refused)
    }
    expect((await importAs(main, [head, 'x', ...rest].join('.'))).status).toBe(422)
    expect((await importAs(main, 'x'.repeat(20_000))).status).toBe(413)
    expect(await ledgerOf(rows)).toEqual([])
  })

  it('its private key is not in the database, and a server with other secrets opens nothing and makes a key anew', async () => {
    const copy = await sealed(await taken(1))
    const { db } = server.database
    const [stored] = await db.select().from(rescueKey).where(eq(rescueKey.organisationId, merchant.organisation.id))
    expect(JSON.stringify(stored)).not.toMatch(/"d"/)
    expect(Buffer.from(stored!.sealedPrivateKey, 'base64url').toString('latin1')).not.toContain('P-256')
    const sealingKey = new Uint8Array(32)
    const app = createApp({ ...server.deps, secrets: { ...testSecrets(), sealingKey } })
    const elsewhere: Ask = (path, init) => app.request(path, init)
    expect(await post(elsewhere, '/api/rescue/import', { copy }, main)).toMatchObject(refused)
    const { data: anew } = await get<RescueKey>(elsewhere, '/api/rescue/key', till.token)
    expect(anew.kid).not.toBe(stored!.kid)
    expect((await get<RescueKey>(elsewhere, '/api/rescue/key', till.token)).data).toEqual(anew)
  })

  it('tills that ask for the key at one moment are all given the same', async () => {
    const another = await makeMerchant(server.database.db)
    const { token } = await testTill(ask, await makePosUser(server.database.db, another))
    const keys = await Promise.all(Array.from({ length: 8 }, () => get<RescueKey>(ask, '/api/rescue/key', token)))
    expect(new Set(keys.map(({ data }) => data.kid)).size).toBe(1)
  })
})
