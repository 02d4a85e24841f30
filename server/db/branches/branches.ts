import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { AccountStatus } from '../../../src/contract/accounts/permissions.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { Option } from '../../../src/contract/tables/tableQuery.ts'
import type { Db } from '../engine/Database.ts'
import { appUser, branch } from '../schema/organisations.ts'
import { within, type Scope } from '../Scope.ts'

/** Branches of the scope by name, at most LIMITS.listRows. */
export const listBranches = (db: Db, scope: Scope): Promise<Option[]> =>
  db
    .select({ guid: branch.id, name: branch.name })
    .from(branch)
    .where(within(scope, branch.organisationId, branch.id))
    .orderBy(asc(branch.name), asc(branch.id))
    .limit(LIMITS.listRows)

/** Branches of the scope that this master manages, by name, at most LIMITS.listRows. */
export const listManagedBranches = (db: Db, scope: Scope, masterId: string): Promise<Option[]> =>
  db
    .select({ guid: branch.id, name: branch.name })
    .from(branch)
    .where(and(within(scope, branch.organisationId, branch.id), eq(branch.masterUserId, masterId)))
    .orderBy(asc(branch.name), asc(branch.id))
    .limit(LIMITS.listRows)

/** Names by id, of branches that the caller has from rows of its scope. */
export async function namesOfBranches(db: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const found = await db.select({ id: branch.id, name: branch.name }).from(branch).where(inArray(branch.id, ids))
  return new Map(found.map(({ id, name }) => [id, name]))
}

/** Returns `undefined` for a branch that does not exist or is not in the scope: the caller cannot tell which. */
export async function findBranch(db: Db, scope: Scope, id: string): Promise<Option | undefined> {
  const [found] = await db
    .select({ guid: branch.id, name: branch.name })
    .from(branch)
    .where(and(within(scope, branch.organisationId, branch.id), eq(branch.id, id)))
  return found
}

type BranchValues = typeof branch.$inferInsert

/** Throws the unique violation of the index `branch_by_code` when the organisation has this code. */
export async function insertBranch(tx: Db, values: BranchValues): Promise<void> {
  await tx.insert(branch).values(values)
}

/** Returns those of `codes`, in capitals, that the organisation has; case does not matter. */
export async function takenCodes(db: Db, { organisationId }: Scope, codes: string[]): Promise<Set<string>> {
  const found = await db
    .select({ code: sql<string>`upper(${branch.code})` })
    .from(branch)
    .where(and(eq(branch.organisationId, organisationId), inArray(sql`lower(${branch.code})`, codes.map(lowered))))
  return new Set(found.map(({ code }) => code))
}

/** Branches of the scope by code, in capitals, with the email of their login. */
export async function branchesByCode(db: Db, scope: Scope, codes: string[]) {
  const isAsked = inArray(sql`lower(${branch.code})`, codes.map(lowered))
  const isLogin = and(eq(appUser.branchId, branch.id), eq(appUser.type, 'Branch Merchant'))
  const found = await db
    .select({ id: branch.id, code: branch.code, email: appUser.loginName })
    .from(branch)
    .leftJoin(appUser, isLogin)
    .where(and(within(scope, branch.organisationId, branch.id), isAsked))
  return new Map(found.map((one) => [one.code.toUpperCase(), one]))
}

/** Lower-cased like the index `branch_by_code`. */
const lowered = (code: string) => code.toLowerCase()

/** Sets `values` and increments the revision. The caller holds the row and has checked the scope. */
export async function updateBranchRow(tx: Db, id: string, values: Partial<BranchValues>): Promise<void> {
  await tx
    .update(branch)
    .set({ ...values, revision: sql`${branch.revision} + 1` })
    .where(eq(branch.id, id))
}

/** Locks the branch until the transaction ends, so that its edits, deactivations and deletions run one after the other. */
export async function lockBranch(tx: Db, id: string): Promise<void> {
  await tx.select({ id: branch.id }).from(branch).where(eq(branch.id, id)).for('no key update')
}

/** Returns the branch's status and keeps it from changing until the transaction ends. Tills of one branch do not wait for each other. */
export async function lockBranchStatus(tx: Db, id: string): Promise<AccountStatus | undefined> {
  const [found] = await tx
    .select({ status: branch.status })
    .from(branch)
    .where(eq(branch.id, id))
    .for('share')
    .prepare('hold_branch_status')
    .execute()
  return found?.status
}

/** Returns false when the branch is not in the state `from`. */
export async function changeBranchRowStatus(tx: Db, id: string, from: AccountStatus, to: AccountStatus) {
  const changed = await tx
    .update(branch)
    .set({ status: to, revision: sql`${branch.revision} + 1` })
    .where(and(eq(branch.id, id), eq(branch.status, from)))
    .returning({ id: branch.id })
  return changed.length === 1
}

/** Throws a foreign key violation when other rows refer to the branch. */
export async function deleteBranchRow(tx: Db, id: string): Promise<void> {
  await tx.delete(branch).where(eq(branch.id, id))
}

/** Finds the account that logs in as the branch. The caller has checked that the branch is in its scope. */
export async function findLoginOf(tx: Db, branchId: string) {
  const [found] = await tx
    .select({ id: appUser.id, email: appUser.loginName, passwordHash: appUser.passwordHash })
    .from(appUser)
    .where(and(eq(appUser.branchId, branchId), eq(appUser.type, 'Branch Merchant')))
  return found
}

/** Returns the hash of the PIN; `null` without a PIN. Used for the branch of the caller's session. */
export async function findPinHash(db: Db, id: string): Promise<string | null> {
  const [found] = await db.select({ pinHash: branch.pinHash }).from(branch).where(eq(branch.id, id))
  return found?.pinHash ?? null
}
