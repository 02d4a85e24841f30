import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { eq } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../../server/db/engine/Database.ts'
import { session } from '../../../server/db/schema/accounts.ts'
import { deviceReport, enrolment } from '../../../server/db/schema/devices.ts'
import { appUser, branch, organisation } from '../../../server/db/schema/organisations.ts'
import { statement, statementLine } from '../../../server/db/schema/payments.ts'
import { hold, redemption, till } from '../../../server/db/schema/redemptions.ts'
import { resource } from '../../../server/db/schema/resources.ts'
import { voucher } from '../../../server/db/schema/vouchers.ts'
import { hashToken, newToken } from '../../../server/services/opaqueToken.ts'
import type { AccountStatus, UserType } from '../../../src/contract/accounts/permissions.ts'
import { startOfDay } from '../../../src/domain/singaporeTime.ts'
import { withCheckDigit } from '../../../src/domain/vouchers.ts'

// Each test makes its own data: nothing is shared, and every name is new.

export const PASSWORD = 'Correct-Horse-2026!'
/** A valid password to change to. */
export const NEW_PASSWORD = 'Quiet-Harbour-7-Lamps!'
let hashed: Promise<string> | undefined
/** Argon2id is slow by design. A hash names its own cost, so test accounts have the lowest cost and log in by the product's own check. */
const passwordHash = () => (hashed ??= hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 }))

let counter = 0
const next = () => (counter += 1)
/** Returns a text that differs in every process that shares a database with this one. */
const unique = () => `${process.pid}-${next()}`

export type Organisation = typeof organisation.$inferSelect
export type Branch = typeof branch.$inferSelect
export type User = typeof appUser.$inferSelect
export type Voucher = typeof voucher.$inferSelect
type Hold = typeof hold.$inferSelect
export type LedgerEntry = typeof redemption.$inferSelect

export async function makeOrganisation(db: Db, given: Partial<Organisation> = {}): Promise<Organisation> {
  return insertOne(db, organisation, {
    id: uuidv7(),
    merchantId: String(100_000 + next() + process.pid * 1_000),
    name: `Organisation ${unique()}`,
    type: 'HRP',
    status: 'Active',
    ...given,
  })
}

export async function makeBranch(db: Db, owner: Organisation, given: Partial<Branch> = {}): Promise<Branch> {
  return insertOne(db, branch, {
    id: uuidv7(),
    organisationId: owner.id,
    name: `Branch ${unique()}`,
    code: String(next()),
    masterUserId: null,
    status: 'Active',
    ...given,
  })
}

const LOGIN_PREFIX: Record<UserType, string> = {
  'HRP Merchant': 'main',
  'Additional Merchant': 'master',
  'ADHOC Merchant': 'adhoc',
  'Branch Merchant': 'branch',
  'POS User': 'till',
}

/** Makes a user of any type, with PASSWORD. Branch Merchants and POS users need a branch. */
export async function makeUser(
  db: Db,
  type: UserType,
  owner: { organisation: Pick<Organisation, 'id'>; branch?: Branch },
  given: Partial<User> = {},
): Promise<User> {
  const isPos = type === 'POS User'
  const now = new Date('2026-01-01T00:00:00Z')
  return insertOne(db, appUser, {
    id: uuidv7(),
    organisationId: owner.organisation.id,
    branchId: (isPos || type === 'Branch Merchant' ? owner.branch?.id : null) ?? null,
    type,
    status: 'Active',
    loginKind: isPos ? 'pos' : 'merchant',
    loginName: `${LOGIN_PREFIX[type]}-${unique()}${isPos ? '' : '@test.example'}`,
    passwordHash: await passwordHash(),
    passwordChangedAt: now,
    mustChangePassword: false,
    createdAt: now,
    ...given,
  })
}

/** Makes a user who has not followed the activation link yet. */
export const makeInvited = (
  db: Db,
  type: Exclude<UserType, 'POS User'>,
  owner: { organisation: Pick<Organisation, 'id'>; branch?: Branch },
  status: AccountStatus = 'Pending Activation',
): Promise<User> => makeUser(db, type, owner, { status, passwordHash: null, passwordChangedAt: null })

export type Merchant = Awaited<ReturnType<typeof makeMerchant>>

/** Makes an organisation with its main account and one branch. `status` is set on the account and on the organisation. */
export async function makeMerchant(
  db: Db,
  type: 'HRP Merchant' | 'ADHOC Merchant' = 'HRP Merchant',
  status: AccountStatus = 'Active',
) {
  const made = await makeOrganisation(db, { type: type === 'HRP Merchant' ? 'HRP' : 'ADHOC', status })
  const firstBranch = await makeBranch(db, made)
  const main = await makeUser(db, type, { organisation: made }, { status })
  return { organisation: made, branch: firstBranch, main }
}

export type PosUser = Awaited<ReturnType<typeof makePosUser>>

/** Makes a POS user, by default of a new merchant's branch. */
export async function makePosUser(db: Db, at?: Omit<Merchant, 'main'>, given: Partial<User> = {}) {
  const place = at ?? (await makeMerchant(db))
  const user = await makeUser(db, 'POS User', place, given)
  return { ...user, branch: place.branch, organisation: place.organisation }
}

/** Makes a device that a POS user has named at their branch. */
export const makeTill = (
  db: Db,
  { id: namedBy, branch: { id: branchId } }: { id: string; branch: Branch },
  given: Partial<typeof till.$inferInsert> = {},
): Promise<typeof till.$inferSelect> =>
  insertOne(db, till, { id: uuidv7(), branchId, name: 'Till 1', namedBy, namedAt: new Date(), ...given })

/** Makes an enrolment code that is valid until `expiresAt`. */
export async function makeEnrolment(
  db: Db,
  { id: createdBy, branch: { id: branchId } }: { id: string; branch: Branch },
  expiresAt: Date,
) {
  const code = randomBytes(4).toString('hex').toUpperCase()
  const row = { id: uuidv7(), branchId, name: 'Till 1', codeHash: hashToken(code), createdBy, expiresAt }
  return { ...(await insertOne(db, enrolment, row)), code }
}

/** Makes the report that such a device sent at `heardAt`. */
export const makeDeviceReport = (
  db: Db,
  { guid: tillGuid }: { guid: string },
  heardAt: Date,
  given: Partial<typeof deviceReport.$inferInsert> = {},
): Promise<typeof deviceReport.$inferSelect> =>
  insertOne(db, deviceReport, {
    tillGuid,
    heardAt,
    clockOffsetMs: 0,
    build: 'b1',
    updateWaits: false,
    browser: 'Chrome on Android',
    persistent: true,
    waitingCount: 0,
    waitingCents: 0,
    refused: 0,
    ...given,
  })

/** Returns a valid serial with prefix 2 that no voucher has. */
export function makeSerial(): string {
  const digits = String((process.pid % 10_000) * 10_000_000 + next())
  return withCheckDigit(`2${digits.padStart(11, '0')}`)
}

export async function makeVoucher(db: Db, given: Partial<Voucher> = {}): Promise<Voucher> {
  const [made] = await makeVouchers(db, 1, () => given)
  return made!
}

export const makeVouchers = (db: Db, count: number, given: (n: number) => Partial<Voucher>): Promise<Voucher[]> =>
  db
    .insert(voucher)
    .values(
      Array.from({ length: count }, (_, n) => ({
        id: uuidv7(),
        serial: makeSerial(),
        denominationCents: 1_000,
        expiresOn: '2027-12-31',
        status: 'Active' as const,
        ...given(n),
      })),
    )
    .returning()

type AtTill = Pick<PosUser, 'id' | 'organisation' | 'branch'>

/** Makes a voucher that the till "Till 1" of this POS user holds since then. */
export async function makeHold(
  db: Db,
  till: AtTill,
  since: Date,
  { hold: held, ...given }: Partial<Voucher> & { hold?: Partial<Hold> } = {},
) {
  const secret = newToken()
  const voucher = await makeVoucher(db, given)
  const row = await insertOne(db, hold, {
    id: uuidv7(),
    secretHash: hashToken(secret),
    voucherId: voucher.id,
    organisationId: till.organisation.id,
    branchId: till.branch.id,
    posUserId: till.id,
    sessionId: await makeEndedSession(db, till.id, since),
    tillId: uuidv7(),
    tillName: 'Till 1',
    since,
    endsAt: new Date(since.getTime() + 24 * 3_600_000),
    ...held,
  })
  return { id: row.id, secret, voucher, since, hold: row }
}

/** Voids a redemption, as its till does. */
export async function makeVoided(db: Db, { id, voucherId, posUserId }: LedgerEntry, voidedAt: Date): Promise<void> {
  await db.update(redemption).set({ voidedAt, voidedBy: posUserId }).where(eq(redemption.id, id))
  const free = { status: 'Active' as const, usedAt: null, organisationId: null, branchId: null }
  await db.update(voucher).set(free).where(eq(voucher.id, voucherId))
}

async function makeEndedSession(db: Db, userId: string, at: Date): Promise<string> {
  const id = uuidv7()
  const dates = { createdAt: at, lastActiveAt: at, endsAt: at, endedAt: at }
  const ids = { id, userId, jti: uuidv7(), bindingHash: newToken() }
  await db.insert(session).values({ ...ids, ...dates, idleSeconds: 60, endedReason: 'logout' })
  return id
}

/** Makes a voucher that `till` redeemed at `redeemedAt`, an instant or a Singapore day, with its ledger row. */
export async function makeRedemption(
  db: Db,
  till: AtTill,
  redeemedAt: Date | string,
  { entry: row, ...given }: Partial<Voucher> & { entry?: Partial<LedgerEntry> } = {},
): Promise<{ voucher: Voucher; entry: LedgerEntry }> {
  const at = typeof redeemedAt === 'string' && redeemedAt.length === 10 ? startOfDay(redeemedAt) : new Date(redeemedAt)
  const used = await makeVoucher(db, {
    status: 'Used',
    usedAt: at,
    organisationId: till.organisation.id,
    branchId: till.branch.id,
    ...given,
  })
  const entry = await insertOne(db, redemption, {
    id: uuidv7(),
    voucherId: used.id,
    organisationId: till.organisation.id,
    branchId: till.branch.id,
    posUserId: till.id,
    amountCents: used.denominationCents,
    redeemedAt: at,
    recordedAt: at,
    ...row,
  })
  return { voucher: used, entry }
}

/** Makes a statement with one line, for redemptions of its month at one branch; the one of this month if there is any. */
export async function makeStatement(
  db: Db,
  { organisation: { id: organisationId }, branch: { id: branchId } }: Omit<Merchant, 'main'>,
  month: string,
  { cents = 1_000, dueOn = `${month}-30` }: { cents?: number; dueOn?: string } = {},
): Promise<void> {
  const made = { organisationId, month, madeAt: new Date(), broughtForwardCents: 0, totalCents: cents, dueOn }
  await db.insert(statement).values(made).onConflictDoNothing()
  const line = { organisationId, month, branchId, redeemedMonth: month, vouchers: 1, cents }
  await db.insert(statementLine).values(line).onConflictDoNothing()
}

export type Resource = typeof resource.$inferSelect

/** Makes a published file of the programme. */
export async function makeResource(db: Db, given: Partial<typeof resource.$inferInsert> = {}): Promise<Resource> {
  const now = new Date('2026-11-01T00:00:00Z')
  return insertOne(db, resource, {
    id: uuidv7(),
    title: `Voucher guide ${unique()}`,
    description: 'How vouchers are taken at the counter.',
    filename: 'guide.txt',
    contentType: 'text/plain; charset=utf-8',
    content: new TextEncoder().encode('Scan, confirm, hand over.'),
    updatedAt: now,
    publishedAt: now,
    ...given,
  })
}

async function insertOne<T extends PgTable>(db: Db, table: T, row: T['$inferInsert']): Promise<T['$inferSelect']> {
  const [made] = await db
    .insert(table)
    .values(row as never)
    .returning()
  return made as T['$inferSelect']
}
