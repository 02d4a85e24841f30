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

/** `undefined` for a branch that is not there or not in the scope: the caller cannot tell which. */
export async function findBranch(db: Db, scope: Scope, id: string): Promise<Option | undefined> {
  const [found] = await db
    .select({ guid: branch.id, name: branch.name })
    .from(branch)
    .where(and(within(scope, branch.organisationId, branch.id), eq(branch.id, id)))
  return found
}

type BranchValues = typeof branch.$inferInsert

/** Throws what the index `branch_by_code` says when the organisation has this code. */
export async function insertBranch(tx: Db, values: BranchValues): Promise<void> {
  await tx.insert(branch).values(values)
}

/** Those of `codes`, in capitals, that the organisation has in whatever case. */
export async function takenCodes(db: Db, { organisationId }: Scope, codes: string[]): Promise<Set<string>> {
  const found = await db
    .select({ code: sql<string>`upper(${branch.code})` })
    .from(branch)
    .where(and(eq(branch.organisationId, organisationId), inArray(sql`lower(${branch.code})`, codes.map(lowered))))
  return new Set(found.map(({ code }) => code))
}

/** Branches of the scope by code, in capitals, and who logs in as each. */
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

/** As the index `branch_by_code` has them. */
const lowered = (code: string) => code.toLowerCase()

/** Sets `values` and counts the revision on. The caller holds the row and has made sure of the scope. */
export async function updateBranchRow(tx: Db, id: string, values: Partial<BranchValues>): Promise<void> {
  await tx
    .update(branch)
    .set({ ...values, revision: sql`${branch.revision} + 1` })
    .where(eq(branch.id, id))
}

/** Edits, deactivations and deletions of one branch follow each other until the transaction ends. */
export async function lockBranch(tx: Db, id: string): Promise<void> {
  await tx.select({ id: branch.id }).from(branch).where(eq(branch.id, id)).for('no key update')
}

/** Its status, which stays as it is until the transaction ends. Tills of one branch do not wait for each other. */
export async function holdBranchStatus(tx: Db, id: string): Promise<AccountStatus | undefined> {
  const [found] = await tx
    .select({ status: branch.status })
    .from(branch)
    .where(eq(branch.id, id))
    .for('share')
    .prepare('hold_branch_status')
    .execute()
  return found?.status
}

/** False when the branch is not in the state `from`. */
export async function changeBranchRowStatus(tx: Db, id: string, from: AccountStatus, to: AccountStatus) {
  const changed = await tx
    .update(branch)
    .set({ status: to, revision: sql`${branch.revision} + 1` })
    .where(and(eq(branch.id, id), eq(branch.status, from)))
    .returning({ id: branch.id })
  return changed.length === 1
}

/** Throws what the foreign keys say when something refers to it. */
export async function deleteBranchRow(tx: Db, id: string): Promise<void> {
  await tx.delete(branch).where(eq(branch.id, id))
}

/** The account that logs in as the branch, which the caller has made sure of. */
export async function findLoginOf(tx: Db, branchId: string) {
  const [found] = await tx
    .select({ id: appUser.id, email: appUser.loginName, passwordHash: appUser.passwordHash })
    .from(appUser)
    .where(and(eq(appUser.branchId, branchId), eq(appUser.type, 'Branch Merchant')))
  return found
}

/** The PIN as it is kept; `null` without one. For the branch of the session that asks. */
export async function findPinHash(db: Db, id: string): Promise<string | null> {
  const [found] = await db.select({ pinHash: branch.pinHash }).from(branch).where(eq(branch.id, id))
  return found?.pinHash ?? null
}
