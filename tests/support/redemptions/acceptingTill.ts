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

/** What the main account has chosen, as it is stored. */
export const allow = (
  db: Db,
  branch: Pick<Branch, 'id' | 'organisationId'>,
  rules: AllowanceRules | null = SUGGESTED_RULES,
) =>
  db
    .insert(branchAllowance)
    .values({ branchId: branch.id, organisationId: branch.organisationId, rules })
    .onConflictDoUpdate({ target: branchAllowance.branchId, set: { rules } })

/** The code of a voucher, signed by the key of the programme that signs now. */
export async function signedCode(
  deps: Pick<TestServer['deps'], 'database' | 'secrets'>,
  voucher: SignedFacts,
): Promise<string> {
  return codeBy(await signingKey(deps), voucher)
}

type SignedFacts = Pick<Voucher, 'serial' | 'denominationCents' | 'expiresOn'>

/** Keys are read from the database: many codes are signed by one. */
function codeBy(
  key: Awaited<ReturnType<typeof signingKey>>,
  { serial, denominationCents, expiresOn }: SignedFacts,
): string {
  const facts = { key: key.id, serial, denomination_cents: denominationCents, expires_on: expiresOn }
  return writeSignedVoucher(facts, key.sign(signedPart(facts)))
}

/** An enrolled till that accepts vouchers as its device does, and keeps its grant and its count. */
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

  /** What the server would grant now; the device does not hear of it. */
  const request = (more: object = {}) =>
    post<AnswerOf<typeof askAllowance>>(ask, '/api/till/allowance', {
      total_cents: state.total,
      grant: state.grant?.id ?? null,
      ...more,
    })
  /** The same, kept. */
  const renew = async (more: object = {}) => {
    const { data, status, error } = await request(more)
    if (status !== 200) throw new Error(`asking for an allowance gave ${status} ${error}`)
    state.grant = data.grant ?? undefined
    return state.grant
  }
  /** A row as the device writes it, whatever the limits say. */
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
  /** Rows leave the device once their outcome is final. */
  const upload = async (rows: readonly AcceptedRow[] = state.waiting): Promise<SyncOutcome[]> => {
    const { data, status, error } = await syncRows(server.ask, rows)
    if (status !== 200) throw new Error(`the upload gave ${status} ${error}`)
    const isOpen = ({ id }: AcceptedRow) => data.outcomes[rows.findIndex((one) => one.id === id)]?.state === 'later'
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
      Object.assign(state, { total: 0, waiting: [], grant: undefined })
      await enrol()
    },
  }
}
