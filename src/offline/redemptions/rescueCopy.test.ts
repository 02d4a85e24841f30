import { createHash } from 'node:crypto'
import { compactDecrypt, exportJWK, generateKeyPair } from 'jose'
import * as v from 'valibot'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { RESCUE_COPY_LENGTH, RescueCopy, RescueKey, sealedCopy } from '../../contract/redemptions/rescue.ts'
import { joinRescueParts, readRescueText, rescueParts } from '../../domain/devices/rescueCopies.ts'
import { withCheckDigit } from '../../domain/vouchers.ts'
import { TillDatabase, type TillRow } from '../store/till.ts'
import { sealWaiting } from './rescueCopy.ts'
import { readTillRow } from './tillRows.ts'

let key: RescueKey
let privateKey: CryptoKey
beforeAll(async () => {
  const pair = await generateKeyPair('ECDH-ES', { extractable: true })
  privateKey = pair.privateKey
  const { kty, crv, x, y } = await exportJWK(pair.publicKey)
  key = v.parse(RescueKey, { kid: 'k'.repeat(43), key: { kty, crv, x, y } })
})

const SEQUENCE = '0190c3b0-0000-7000-8000-000000000002'
const TAKEN_AT = Date.parse('2026-11-27T01:00:00Z')
const TILL = { id: '0190c3b0-0000-7000-8000-000000000001', name: 'Till 2' }

const secret = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')

const rowsOf = (count: number): TillRow[] =>
  Array.from({ length: count }, (_, at) => ({
    id: crypto.randomUUID(),
    secret: secret(),
    owner: TILL.id,
    owner_name: 'mei',
    till: TILL.id,
    serial: withCheckDigit(`2${String(10_000_000_007 + at * 7_919)}`),
    state: 'confirmed',
    askedAt: TAKEN_AT + at * 60_000 - 5_000,
    confirmedAt: TAKEN_AT + at * 60_000,
    taking: { sequence: SEQUENCE, number: at + 1, previous: createHash('sha256').update(String(at)).digest('hex') },
    sent: true,
    attempts: 3,
    nextAt: 0,
    seen: false,
  }))

const BRANCH = '0190c3b0-0000-7000-8000-000000000003'

const randomText = (length: number) =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(length)))
    .toString('base64url')
    .slice(0, length)

const acceptedRow = (row: TillRow): TillRow => ({
  ...row,
  state: 'accepted',
  code: randomText(121),
  denomination_cents: 1_000,
  accepted: {
    branch: BRANCH,
    grant: crypto.randomUUID(),
    total_cents: 15_000,
    accepted_at: new Date(row.confirmedAt!).toISOString(),
    secret: randomText(43),
  },
})

async function opened(copy: string): Promise<RescueCopy> {
  const { plaintext } = await compactDecrypt(copy, privateKey)
  return v.parse(RescueCopy, JSON.parse(new TextDecoder().decode(plaintext)))
}

let database: TillDatabase
beforeEach(() => {
  database = new TillDatabase(`copied ${crypto.randomUUID()}`)
})

async function sealed(rows: TillRow[]): Promise<string[]> {
  await database.vouchers.bulkPut(rows)
  return (await sealWaiting(database, key, TILL, TAKEN_AT)).copies
}

describe('a rescue copy of what waits', () => {
  it('says for each voucher what the queue would upload, and nothing of it can be read from outside', async () => {
    const rows = rowsOf(2)
    const [copy] = await sealed(rows)
    expect(await opened(copy!)).toEqual({
      till: TILL,
      made_at: '2026-11-27T01:00:00.000Z',
      redemptions: rows.map(({ id, serial, secret: own, confirmedAt }) => ({
        id,
        serial,
        secret: own,
        redeemed_at: new Date(confirmedAt!).toISOString(),
      })),
      // What follows the one before it needs no hash.
      takings: `${SEQUENCE}.1.${rows[0]!.taking!.previous},${SEQUENCE}.2`,
    })
    for (const row of rows) expect(copy).not.toContain(row.secret)
  })

  it('of fifteen is short enough for the server and fits three codes', async () => {
    const copies = await sealed(rowsOf(LIMITS.uploadRows))
    expect(copies.map((copy) => v.is(sealedCopy, copy))).toEqual([true])
    expect(copies[0]!.length).toBeLessThan(RESCUE_COPY_LENGTH / 2)
    expect(rescueParts(copies).length).toBeLessThanOrEqual(3)
  })

  it('of more than one upload takes is several copies, each with codes of its own', async () => {
    const rows = rowsOf(LIMITS.uploadRows + 3)
    const copies = await sealed(rows)
    const parts = rescueParts(copies).flatMap((code) => readRescueText(code).parts)
    const joined = joinRescueParts(parts).flatMap((one) => one.copies)
    expect(joined).toEqual(copies)
    const redemptions = (await Promise.all(joined.map(opened))).flatMap((copy) => copy.redemptions)
    expect(redemptions.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
  })

  it('may be carried out from then on: what is in it cannot be given back as if nobody knew of it', async () => {
    const [row] = rowsOf(1) as [TillRow]
    await sealed([{ ...row, sent: false }])
    expect(await readTillRow(database, row.id)).toMatchObject({ state: 'confirmed', sent: true })
  })

  it('has what was accepted without a check in copies of its own, as the queue would upload it', async () => {
    const [taken, ...accepted] = rowsOf(3).map((row, at) => (at === 0 ? row : acceptedRow(row)))
    const copies = await Promise.all((await sealed([...accepted, taken!])).map(opened))
    expect(copies.map(({ redemptions }) => redemptions.map(({ id }) => id))).toEqual([[taken!.id], []])
    const [, { accepted: upload }] = copies as [RescueCopy, RescueCopy]
    expect(upload!.accepted.map(({ id, secret: of }) => ({ id, secret: of }))).toEqual(
      accepted.map((row) => ({ id: row.id, secret: row.accepted!.secret })),
    )
  })

  it('of fifteen that were accepted is short enough for the server, and fits nine codes', async () => {
    const copies = await sealed(rowsOf(LIMITS.uploadRows).map(acceptedRow))
    expect(copies.map((copy) => v.is(sealedCopy, copy))).toEqual([true])
    expect(rescueParts(copies).length).toBeLessThanOrEqual(9)
  })

  it('has nothing that is being given back', async () => {
    const [given, taken] = rowsOf(2) as [TillRow, TillRow]
    const copies = await sealed([{ ...given, state: 'cancelling' }, taken])
    expect((await opened(copies[0]!)).redemptions.map(({ id }) => id)).toEqual([taken.id])
  })
})
