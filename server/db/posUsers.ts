import type { POS_COLUMNS } from '../../src/contract/tables/tableColumns.ts'
import { and, eq, sql } from 'drizzle-orm'
import type { AccountStatus } from '../../src/contract/accounts/permissions.ts'
import type { DataTable, SortKey } from './tables/DataTable.ts'
import { appUser, branch } from './schema.ts'
import { within } from './Scope.ts'

export interface FoundPosUser {
  id: string
  username: string
  branchId: string
  branchName: string
  lastSignInAt: Date | null
  status: AccountStatus
  mustChangePassword: boolean
  createdAt: Date
  revision: number
}

const columns = {
  id: appUser.id,
  username: appUser.loginName,
  branchId: branch.id,
  branchName: branch.name,
  lastSignInAt: appUser.lastSignInAt,
  status: appUser.status,
  mustChangePassword: appUser.mustChangePassword,
  createdAt: appUser.createdAt,
  revision: appUser.revision,
}

export const posUserTable: DataTable<FoundPosUser> = {
  id: appUser.id,
  matches: (db) => db.select({ id: appUser.id }).from(appUser).$dynamic(),
  columns,
  select: (db, fields) => db.select(fields).from(appUser).innerJoin(branch, eq(branch.id, appUser.branchId)).$dynamic(),
  within: (scope) => and(within(scope, appUser.organisationId, appUser.branchId), eq(appUser.type, 'POS User')),
}

export const POS_USER_SORT: Record<(typeof POS_COLUMNS)[number], SortKey> = {
  guid: appUser.id,
  username: appUser.loginName,
  last_login: sql`coalesce(${appUser.lastSignInAt}, '-infinity')`,
  status: appUser.status,
}
