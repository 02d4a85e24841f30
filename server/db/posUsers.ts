import { and, eq, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import type { AccountStatus } from '../../src/contract/accounts/permissions.ts'
import { UNUSED_DAYS, type POS_COLUMNS } from '../../src/contract/tables/tableColumns.ts'
import { addDays, startOfDay } from '../../src/domain/singaporeTime.ts'
import { appUser, branch } from './schema/organisations.ts'
import { redemption } from './schema/redemptions.ts'
import { within } from './Scope.ts'
import type { DataTable, SortKey } from './tables/DataTable.ts'

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

/**
 * POS users of whatever status that were there UNUSED_DAYS before `today` and have done nothing since. Whole Singapore days: a
 * table opened later today finds the same ones.
 */
export function isUnusedPosUser(today: string): SQL | undefined {
  const since = startOfDay(addDays(today, -UNUSED_DAYS))
  const isSignedOut = or(isNull(appUser.lastSignInAt), lt(appUser.lastSignInAt, since))
  const hasNotRedeemed = sql`NOT EXISTS (
    SELECT FROM ${redemption}
    WHERE ${redemption.posUserId} = ${appUser.id} AND ${redemption.redeemedAt} >= ${since.toISOString()}::timestamptz
  )`
  return and(lt(appUser.createdAt, since), isSignedOut, hasNotRedeemed)
}
