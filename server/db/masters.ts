import { and, eq, sql } from 'drizzle-orm'
import type { AccountStatus } from '../../src/contract/accounts/permissions.ts'
import type { MASTER_COLUMNS } from '../../src/contract/tables/tableColumns.ts'
import { invitedAt } from './accounts/passwords.ts'
import { appUser } from './schema/organisations.ts'
import type { DataTable, SortKey } from './tables/DataTable.ts'

export const countOfBranches = sql<number>`(SELECT count(*)::int FROM branch b WHERE b.master_user_id = app_user.id)`

const columns = {
  id: appUser.id,
  name: appUser.name,
  email: appUser.loginName,
  status: appUser.status,
  lastSignInAt: appUser.lastSignInAt,
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
  lastSignInAt: Date | null
  createdAt: Date
  revision: number
  passwordHash: string | null
  invitedAt: Date | null
  /** How many it manages. */
  branches: number
}

/** Additional Merchants of an organisation. Whoever sees but some branches of it sees none. */
export const masterTable: DataTable<FoundMaster> = {
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
}

export const MASTER_SORT: Record<(typeof MASTER_COLUMNS)[number], SortKey> = {
  guid: appUser.id,
  name: sql`coalesce(${appUser.name}, '')`,
  email: appUser.loginName,
  status: appUser.status,
  last_sign_in_at: sql`coalesce(${appUser.lastSignInAt}, '-infinity')`,
  created_at: appUser.createdAt,
}
