import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { AccountStatus } from '../../../src/contract/accounts/permissions.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { Option } from '../../../src/contract/tables/tableQuery.ts'
import type { Db } from '../engine/Database.ts'
import { appUser, branch } from '../schema/organisations.ts'
import { within, type Scope } from '../Scope.ts'

/** Lists branches of the scope by name, at most LIMITS.listRows. */
export const listBranches = (db: Db, scope: Scope): Promise<Option[]> =>
  db
    .select({ guid: branch.id, name: branch.name })
    .from(branch)
    .where(within(scope, branch.organisationId, branch.id))
    .orderBy(asc(branch.name), asc(branch.id))
    .limit(LIMITS.listRows)

/** Lists branches of the scope that this master manages, by name, at most LIMITS.listRows. */
export const listManagedBranches = (db: Db, scope: Scope, masterId: string): Promise<Option[]> =>
  db
    .select({ guid: branch.id, name: branch.name })
    .from(branch)
    .where(and(within(scope, branch.organisationId, branch.id), eq(branch.masterUserId, masterId)))
    .orderBy(asc(branch.name), asc(branch.id))
    .limit(LIMITS.listRows)

/** Reads the names of branches, by id. The caller has the ids from rows of its scope. */
export async function namesOfBranches(db: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const found = await db.select({ id: branch.id, name: branch.name }).from(branch).where(inArray(branch.id, ids))
  return new Map(found.map(({ id, name }) => [id, name]))
}

/** Finds a branch of the scope. Returns `undefined` for one that does not exist or is not in the scope: the caller cannot tell which. */
export async function findBranch(db: Db, scope: Scope, id: string): Promise<Option | undefined> {
  const [found] = await db
    .select({ guid: branch.id, name: branch.name })
    .from(branch)
    .where(and(within(scope, branch.organisationId, branch.id), eq(branch.id, id)))
  return found
}

type BranchValues = typeof branch.$inferInsert

/** Inserts a branch. Throws the unique violation of the index `branch_by_code` when the organisation already has its code. */
export async function insertBranch(tx: Db, values: BranchValues): Promise<void> {
  await tx.insert(branch).values(values)
}

/** Returns those of `codes` that the organisation already has, in capitals. Case does not matter. */
export async function takenCodes(db: Db, { organisationId }: Scope, codes: string[]): Promise<Set<string>> {
  const found = await db
    .select({ code: sql<string>`upper(${branch.code})` })
    .from(branch)
    .where(and(eq(branch.organisationId, organisationId), inArray(sql`lower(${branch.code})`, codes.map(lowered))))
  return new Set(found.map(({ code }) => code))
}

/** Finds branches of the scope, with the email of their login. The keys are their codes in capitals. */
export async function branchesByCode(db: Db, scope: Scope, codes: string[]) {
  const hasCode = inArray(sql`lower(${branch.code})`, codes.map(lowered))
  const isLogin = and(eq(appUser.branchId, branch.id), eq(appUser.type, 'Branch Merchant'))
  const found = await db
    .select({ id: branch.id, code: branch.code, email: appUser.loginName })
    .from(branch)
    .leftJoin(appUser, isLogin)
    .where(and(within(scope, branch.organisationId, branch.id), hasCode))
  return new Map(found.map((one) => [one.code.toUpperCase(), one]))
}

/** Lower-cased like the index `branch_by_code`. */
const lowered = (code: string) => code.toLowerCase()

/** Sets `values` and increments the revision. The caller has locked the row and checked the scope. */
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

/** Returns the branch's status, which cannot change until the transaction ends. Tills of one branch do not wait for each other here. */
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

/** Changes the status of a branch. Returns false when the status is not `from`. */
export async function changeBranchRowStatus(tx: Db, id: string, from: AccountStatus, to: AccountStatus) {
  const changed = await tx
    .update(branch)
    .set({ status: to, revision: sql`${branch.revision} + 1` })
    .where(and(eq(branch.id, id), eq(branch.status, from)))
    .returning({ id: branch.id })
  return changed.length === 1
}

/** Deletes a branch. Throws a foreign key violation when other rows refer to the branch. */
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

/** Returns the hash of the PIN; `null` without a PIN. The branch is the one of the caller's session, so there is no scope. */
export async function findPinHash(db: Db, id: string): Promise<string | null> {
  const [found] = await db.select({ pinHash: branch.pinHash }).from(branch).where(eq(branch.id, id))
  return found?.pinHash ?? null
}
