import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Db } from '../../../server/db/engine/Database.ts'
import { branchAllowance } from '../../../server/db/schema/allowance.ts'
import { till } from '../../../server/db/schema/redemptions.ts'
import { hashToken, newToken } from '../../../server/services/opaqueToken.ts'
import { signingKey } from '../../../server/services/vouchers/voucherKeys.ts'
import type { AnswerOf } from '../../../src/contract/endpoint.ts'
import {
  SUGGESTED_RULES,
  type AcceptedRow,
  type AllowanceGrant,
  type AllowanceRules,
} from '../../../src/contract/redemptions/allowance.ts'
import type { askAllowance } from '../../../src/contract/redemptions/allowanceEndpoints.ts'
import type { SyncOutcome } from '../../../src/contract/redemptions/sync.ts'
import { signedPart, writeSignedVoucher } from '../../../src/domain/signedVouchers.ts'
import { browserOf } from '../api/browserOf.ts'
import { post, type Ask } from '../api/portalClient.ts'
import { makeTill, makeVoucher, type Branch, type PosUser, type Voucher } from '../database/builders.ts'
import type { TestServer } from '../server/testServer.ts'
import { syncRows } from './testTill.ts'

/** Stores the allowance rules that the main account has chosen. */
export const allow = (
  db: Db,
  branch: Pick<Branch, 'id' | 'organisationId'>,
  rules: AllowanceRules | null = SUGGESTED_RULES,
) =>
  db
    .insert(branchAllowance)
    .values({ branchId: branch.id, organisationId: branch.organisationId, rules })
    .onConflictDoUpdate({ target: branchAllowance.branchId, set: { rules } })

/** Returns the code of a voucher, signed with the current key of the programme. */
export async function signedCode(
  deps: Pick<TestServer['deps'], 'database' | 'secrets'>,
  voucher: SignedFacts,
): Promise<string> {
  return codeBy(await signingKey(deps), voucher)
}

type SignedFacts = Pick<Voucher, 'serial' | 'denominationCents' | 'expiresOn'>

/** Takes the key as an argument, because keys are read from the database and one key signs many codes. */
function codeBy(
  key: Awaited<ReturnType<typeof signingKey>>,
  { serial, denominationCents, expiresOn }: SignedFacts,
): string {
  const facts = { key: key.id, serial, denomination_cents: denominationCents, expires_on: expiresOn }
  return writeSignedVoucher(facts, key.sign(signedPart(facts)))
}

/** Makes an enrolled till that accepts vouchers as a device does. It keeps its grant and its count. */
export async function acceptingTill(
  server: Pick<TestServer, 'ask' | 'database'> &
    Record<'clock', { now(): Date }> &
    Record<'deps', Parameters<typeof signedCode>[0]>,
  user: PosUser,
  given: Parameters<typeof makeTill>[2] = {},
) {
  const { db } = server.database
  let token = newToken()
  const row = await makeTill(db, user, { tokenHash: hashToken(token), enrolledAt: server.clock.now(), ...given })
  const ask: Ask = (path, init) => browserOf(server.ask, { till: token })(path, init)
  const state = { total: 0, waiting: [] as AcceptedRow[], grant: undefined as AllowanceGrant | undefined }

  /** Asks the server for a grant, but does not store it. */
  const request = (more: object = {}) =>
    post<AnswerOf<typeof askAllowance>>(ask, '/api/till/allowance', {
      total_cents: state.total,
      grant: state.grant?.id ?? null,
      ...more,
    })
  /** Asks the server for a grant and stores it. */
  const renew = async (more: object = {}) => {
    const { data, status, error } = await request(more)
    if (status !== 200) throw new Error(`asking for an allowance gave ${status} ${error}`)
    state.grant = data.grant ?? undefined
    return state.grant
  }
  /** Accepts a voucher and writes the device's row, without checking the limits. */
  const accept = async (voucher: SignedFacts, change: Partial<AcceptedRow> = {}): Promise<AcceptedRow> => {
    state.total += voucher.denominationCents
    const row: AcceptedRow = {
      became: 'accepted',
      id: randomUUID(),
      code: change.code ?? (await signedCode(server.deps, voucher)),
      grant: state.grant?.id ?? randomUUID(),
      secret: state.grant?.secret ?? newToken(),
      pos_user: user.id,
      tapped_at: server.clock.now().toISOString(),
      ...change,
    }
    state.waiting.push(row)
    return row
  }
  /** Uploads rows. Rows with a final outcome leave the device. */
  const upload = async (rows: readonly AcceptedRow[] = state.waiting): Promise<SyncOutcome[]> => {
    const { data, status, error } = await syncRows(server.ask, rows)
    if (status !== 200) throw new Error(`the upload gave ${status} ${error}`)
    const isOpen = ({ id }: AcceptedRow) => data.outcomes[rows.findIndex((one) => one.id === id)]?.state === 'later'
    state.waiting = state.waiting.filter((one) => !rows.some(({ id }) => id === one.id) || isOpen(one))
    return data.outcomes
  }
  /** Enrols the till again with a code of its manager: it gets another cookie. */
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
    /** Makes a voucher of this value and accepts it. */
    take: async (denominationCents = 1_000) => accept(await makeVoucher(db, { denominationCents })),
    upload,
    /** Calls the server with the till's cookie, as its page does. */
    ask,
    /** Returns the amount in cents that it may still accept, as the device computes it. */
    left: () => Math.max(0, (state.grant?.total_cents ?? 0) - state.total),
    enrol,
    /** Empties its storage and enrols another device in its place. */
    replace: async () => {
      Object.assign(state, { total: 0, waiting: [], grant: undefined })
      await enrol()
    },
  }
}
