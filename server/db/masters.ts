import { and, count, eq, inArray, or, sql } from 'drizzle-orm'
import type { AccountStatus } from '../../src/contract/accounts/permissions.ts'
import { invitedAt } from './accounts/passwords.ts'
import type { Db } from './engine/Database.ts'
import { appUser, branch } from './schema/organisations.ts'
import type { Scope } from './Scope.ts'
import { instantCell, plainCell, textCell } from './tables/csvCells.ts'
import { containsText, type TableSource } from './tables/TableSource.ts'

const countOfBranches = sql<number>`(SELECT count(*)::int FROM branch b WHERE b.master_user_id = app_user.id)`

const columns = {
  id: appUser.id,
  name: appUser.name,
  email: appUser.loginName,
  status: appUser.status,
  lastLoginAt: appUser.lastLoginAt,
  createdAt: appUser.createdAt,
  revision: appUser.revision,
  passwordHash: appUser.passwordHash,
  invitedAt: invitedAt('app_user'),
  branches: countOfBranches,
}

export interface FoundMaster {
  id: string
  name: string | null
  email: string
  status: AccountStatus
  lastLoginAt: Date | null
  createdAt: Date
  revision: number
  passwordHash: string | null
  invitedAt: Date | null
  /** The number of branches that the master manages. */
  branches: number
}

/** The Additional Merchants of an organisation. A reader who is limited to some branches sees no masters. */
export const masterTable: TableSource<FoundMaster, 'master'> = {
  list: 'master',
  id: appUser.id,
  matches: (db) => db.select({ id: appUser.id }).from(appUser).$dynamic(),
  columns,
  select: (db, fields) => db.select(fields).from(appUser).$dynamic(),
  within: (scope) =>
    and(
      eq(appUser.organisationId, scope.organisationId),
      eq(appUser.type, 'Additional Merchant'),
      scope.branchIds === 'all' ? undefined : sql`false`,
    ),
  sort: {
    guid: appUser.id,
    name: sql`coalesce(${appUser.name}, '')`,
    email: appUser.loginName,
    status: appUser.status,
    last_login_at: sql`coalesce(${appUser.lastLoginAt}, '-infinity')`,
    created_at: appUser.createdAt,
  },
  filters: { status: (status) => eq(appUser.status, status) },
  search: (text) => or(containsText(appUser.name, text), containsText(appUser.loginName, text)),
  csv: () => ({
    Name: textCell(sql`coalesce(${appUser.name}, ${appUser.loginName})`),
    Email: textCell(appUser.loginName),
    Status: plainCell(appUser.status),
    Branches: plainCell(countOfBranches),
    'Last login': instantCell(appUser.lastLoginAt),
    Created: instantCell(appUser.createdAt),
  }),
}

/** Counts the masters that are Active or Pending Activation (rule 7.1). */
export async function countOpenMasters(tx: Db, { organisationId }: Scope): Promise<number> {
  const [counted] = await tx.select({ masters: count() }).from(appUser).where(isOpenMaster(organisationId))
  return counted?.masters ?? 0
}

/** True for a master that is Active or Pending Activation. Its status cannot change until the transaction ends. */
export const lockOpenMaster = async (tx: Db, scope: Scope, id: string): Promise<boolean> =>
  (await lockOpenMasters(tx, scope, [id])).has(id)

/** Finds the masters among `ids` that are Active or Pending Activation, and locks their status like `lockOpenMaster`. */
export async function lockOpenMasters(tx: Db, { organisationId }: Scope, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const found = await tx
    .select({ id: appUser.id })
    .from(appUser)
    .where(and(inArray(appUser.id, ids), isOpenMaster(organisationId)))
    .for('share')
  return new Set(found.map(({ id }) => id))
}

const isOpenMaster = (organisationId: string) =>
  and(
    eq(appUser.organisationId, organisationId),
    eq(appUser.type, 'Additional Merchant'),
    inArray(appUser.status, ['Active', 'Pending Activation']),
  )

/** Gives the branches of a master back to the main account (rule 7.2). */
export async function unassignBranches(tx: Db, masterId: string): Promise<void> {
  await tx
    .update(branch)
    .set({ masterUserId: null, revision: sql`${branch.revision} + 1` })
    .where(eq(branch.masterUserId, masterId))
}
