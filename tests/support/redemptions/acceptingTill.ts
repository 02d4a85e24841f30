import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { Db } from '../../../server/db/engine/Database.ts'
import { acceptedVoucher, branchAllowance } from '../../../server/db/schema/allowance.ts'
import { till } from '../../../server/db/schema/redemptions.ts'
import { signingKey } from '../../../server/services/vouchers/voucherKeys.ts'
import type { AnswerOf } from '../../../src/contract/endpoint.ts'
import {
  acceptedText,
  AllowanceGrant,
  SUGGESTED_RULES,
  type AcceptedOutcome,
  type AcceptedVoucher,
  type AllowanceRules,
} from '../../../src/contract/redemptions/allowance.ts'
import type { askAllowance } from '../../../src/contract/redemptions/allowanceEndpoints.ts'
import { signedPart, writeSignedVoucher } from '../../../src/domain/signedVouchers.ts'
import { post, type Ask } from '../api/portalClient.ts'
import { makeSerial, makeTill, makeVoucher, type Branch, type PosUser, type Voucher } from '../database/builders.ts'
import { provingAsk } from '../devices/provingDevice.ts'
import { makeDeviceKey } from '../devices/reportingDevice.ts'
import type { TestServer } from '../server/testServer.ts'

/** What the main account has chosen, as it is stored. */
export const allow = (
  db: Db,
  branch: Pick<Branch, 'id' | 'organisationId'>,
  rules: AllowanceRules | null = SUGGESTED_RULES,
) => {
  const set = { rules, changedAt: new Date(), changedBy: 'main@test.example' }
  return db
    .insert(branchAllowance)
    .values({ branchId: branch.id, organisationId: branch.organisationId, ...set })
    .onConflictDoUpdate({ target: branchAllowance.branchId, set })
}

/** The code of a voucher, signed by the key of the programme that signs now. */
export async function signedCode(
  deps: Pick<TestServer['deps'], 'database' | 'secrets'>,
  voucher: SignedFacts,
): Promise<string> {
  return codeBy(await signingKey(deps), voucher)
}

type SignedFacts = Pick<Voucher, 'serial' | 'denominationCents' | 'expiresOn'>

/** Keys are read from the database: many codes are signed by one. */
export function codeBy(
  key: Awaited<ReturnType<typeof signingKey>>,
  { serial, denominationCents, expiresOn }: SignedFacts,
): string {
  const facts = { key: key.id, serial, denomination_cents: denominationCents, expires_on: expiresOn }
  return writeSignedVoucher(facts, key.sign(signedPart(facts)))
}

/** An enrolled till that proves its key, accepts vouchers as its device does, and keeps its grant and its count. */
export async function acceptingTill(server: TestServer, user: PosUser, given: Parameters<typeof makeTill>[2] = {}) {
  const { db } = server.database
  let key = await makeDeviceKey()
  const enrolledAt = server.clock.now()
  const row = await makeTill(db, user, { publicKey: key.publicKey, enrolledAt, provenAt: enrolledAt, ...given })
  const ask: Ask = (path, init) => provingAsk(server, key)(path, init)
  const state = { total: 0, waiting: [] as AcceptedVoucher[], grant: undefined as AllowanceGrant | undefined }

  /** What the server would grant now; the device does not hear of it. */
  const request = (more: object = {}) =>
    post<AnswerOf<typeof askAllowance>>(ask, '/api/till/allowance', {
      till: row.id,
      branch: row.branchId,
      total_cents: state.total,
      grant: state.grant?.id ?? null,
      ...more,
    })
  /** The same, kept. */
  const renew = async (more: object = {}) => {
    const { data, status, error } = await request(more)
    if (status !== 200) throw new Error(`asking for an allowance gave ${status} ${error}`)
    state.grant = data.grant ? readGrant(data.grant.grant) : undefined
    return state.grant
  }
  /** A row as the device signs it, whatever the limits say. */
  const accept = async (voucher: SignedFacts, change: Partial<AcceptedVoucher> = {}): Promise<AcceptedVoucher> => {
    state.total += voucher.denominationCents
    const id = change.id ?? randomUUID()
    const unsigned = {
      id,
      code: change.code ?? (await signedCode(server.deps, voucher)),
      grant: state.grant?.id ?? randomUUID(),
      total_cents: state.total,
      cents: voucher.denominationCents,
      pos_user: user.id,
      accepted_at: server.clock.now().toISOString(),
      ...change,
    }
    const signed = { ...unsigned, signature: await sign(key.privateKey, acceptedText(unsigned)) }
    state.waiting.push(signed)
    return signed
  }
  /** Rows leave the device once their outcome is final. */
  const upload = async (rows: readonly AcceptedVoucher[] = state.waiting, from: object = {}) => {
    const body = { till: row.id, branch: row.branchId, accepted: rows, ...from }
    const { data, status, error } = await post<{ outcomes: AcceptedOutcome[] }>(
      server.ask,
      '/api/voucher/accepted',
      body,
    )
    if (status !== 200) throw new Error(`the upload gave ${status} ${error}`)
    const isOpen = ({ id }: { id: string }) =>
      data.outcomes.some((one) => one.id === id && (one.outcome === 'waiting' || one.outcome === 'refused'))
    state.waiting = state.waiting.filter((one) => !rows.some(({ id }) => id === one.id) || isOpen(one))
    return data.outcomes
  }
  /** By a code of its manager: from now on its cookie is another. */
  const enrol = async () => {
    token = newToken()
    const enrolled = { tokenHash: hashToken(token), enrolledAt: server.clock.now(), revokedAt: null }
    await db.update(till).set(enrolled).where(eq(till.guid, row.guid))
  }
  return {
    row,
    state,
    request,
    renew,
    accept,
    /** A new voucher of this value, accepted. */
    take: async (denominationCents = 1_000) => accept(await makeVoucher(db, { denominationCents })),
    upload,
    /** As its page asks. */
    ask,
    /** What it may still accept, as its device reckons. */
    left: () => Math.max(0, (state.grant?.total_cents ?? 0) - state.total),
    enrol,
    /** Its storage is emptied: another device is enrolled in its place. */
    replace: async () => {
      sequence = new TestSequence()
      Object.assign(state, { total: 0, waiting: [], grant: undefined })
      await enrol()
    },
  }
}

export const readGrant = (signed: string): AllowanceGrant =>
  v.parse(AllowanceGrant, JSON.parse(Buffer.from(signed.split('.')[0]!, 'base64url').toString()))

async function sign(key: CryptoKey, text: string): Promise<string> {
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  return Buffer.from(await crypto.subtle.sign(algorithm, key, Buffer.from(text))).toString('base64url')
}

/** An upload that nobody has signed. */
export const acceptedUpload = () => ({
  till: randomUUID(),
  branch: randomUUID(),
  accepted: [
    {
      id: randomUUID(),
      code: 'HRP2:',
      grant: randomUUID(),
      total_cents: 1_000,
      cents: 1_000,
      pos_user: randomUUID(),
      accepted_at: '2026-11-21T02:00:00.000Z',
      signature: 'A'.repeat(86),
    },
  ],
})

/** The id of a loss of this POS user's branch. */
export async function makeLoss(
  db: Db,
  user: PosUser,
  given: Partial<typeof acceptedVoucher.$inferInsert> = {},
): Promise<string> {
  const made = await makeTill(db, user)
  const id = randomUUID()
  const at = new Date('2026-11-21T02:00:00.000Z')
  const place = { organisationId: user.organisation.id, branchId: user.branch.id, posUserId: user.id }
  const taken = { cents: 1_000, totalCents: 1_000, key: 'key' }
  await db.insert(acceptedVoucher).values({
    id,
    ...place,
    tillId: made.id,
    tillGuid: made.guid,
    tillName: made.name,
    serial: makeSerial(),
    code: 'HRP2:',
    ...taken,
    deviceAt: at,
    acceptedAt: at,
    arrivedAt: at,
    outcome: 'lost',
    reason: 'used elsewhere',
    ...given,
  })
  return id
}
