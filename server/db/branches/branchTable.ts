import { and, eq, sql, type SQL } from 'drizzle-orm'
import { alias, type PgColumn } from 'drizzle-orm/pg-core'
import type { AccountStatus } from '../../../src/contract/accounts/permissions.ts'
import type { BRANCH_COLUMNS, BranchKind } from '../../../src/contract/tables/tableColumns.ts'
import { invitedAt } from '../accounts/passwords.ts'
import { appUser, branch } from '../schema/organisations.ts'
import { within } from '../Scope.ts'
import type { DataTable, SortKey } from '../tables/DataTable.ts'

/** The account that signs in as the branch. */
export const login = alias(appUser, 'login')
export const master = alias(appUser, 'master')
const creator = alias(appUser, 'creator')

const isLoginOfBranch = and(eq(login.branchId, branch.id), eq(login.type, 'Branch Merchant'))

export interface FoundBranch {
  id: string
  organisationId: string
  name: string
  code: string
  kind: BranchKind
  status: AccountStatus
  fromDay: string | null
  toDay: string | null
  business: unknown
  financialContact: unknown
  pinHash: string | null
  pinWeak: boolean
  pinSetAt: Date | null
  createdAt: Date | null
  createdBy: string | null
  revision: number
  masterId: string | null
  masterName: string | null
  masterEmail: string | null
  loginId: string | null
  loginStatus: AccountStatus | null
  email: string | null
  lastSignInAt: Date | null
  invitedAt: Date | null
  posUsers: number
}

export const countOfPosUsers = sql<number>`(
  SELECT count(*)::int FROM app_user u WHERE u.branch_id = branch.id AND u.type = 'POS User'
)`

const columns = {
  id: branch.id,
  organisationId: branch.organisationId,
  name: branch.name,
  code: branch.code,
  kind: branch.kind,
  status: branch.status,
  fromDay: branch.fromDay,
  toDay: branch.toDay,
  business: branch.business,
  financialContact: branch.financialContact,
  pinHash: branch.pinHash,
  pinWeak: branch.pinWeak,
  pinSetAt: branch.pinSetAt,
  createdAt: branch.createdAt,
  createdBy: creator.loginName,
  revision: branch.revision,
  masterId: branch.masterUserId,
  masterName: master.name,
  masterEmail: master.loginName,
  loginId: login.id,
  loginStatus: login.status,
  email: login.loginName,
  lastSignInAt: login.lastSignInAt,
  invitedAt: invitedAt('login'),
  posUsers: countOfPosUsers,
}

/** Branches, or only those `which` says. */
export const branchTable = (which?: SQL): DataTable<FoundBranch> => ({
  id: branch.id,
  matches: (db) => db.select({ id: branch.id }).from(branch).leftJoin(login, isLoginOfBranch).$dynamic(),
  columns,
  select: (db, fields) =>
    db
      .select(fields)
      .from(branch)
      .leftJoin(login, isLoginOfBranch)
      .leftJoin(master, eq(master.id, branch.masterUserId))
      .leftJoin(creator, eq(creator.id, branch.createdBy))
      .$dynamic(),
  within: (scope) => and(within(scope, branch.organisationId, branch.id), which),
})

const orNever = (day: PgColumn) => sql`coalesce(${day}, '-infinity')`

export const BRANCH_SORT: Record<(typeof BRANCH_COLUMNS)[number], SortKey> = {
  guid: branch.id,
  name: branch.name,
  code: branch.code,
  status: branch.status,
  from_day: orNever(branch.fromDay),
  to_day: orNever(branch.toDay),
  last_sign_in_at: sql`coalesce(${login.lastSignInAt}, '-infinity')`,
}
