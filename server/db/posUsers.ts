import { and, asc, eq, inArray, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import type { AccountStatus } from '../../src/contract/accounts/permissions.ts'
import { LIMITS } from '../../src/contract/limits.ts'
import { UNUSED_DAYS } from '../../src/contract/tables/lists.ts'
import type { Option } from '../../src/contract/tables/tableQuery.ts'
import { addDays, startOfDay } from '../../src/domain/singaporeTime.ts'
import type { Db } from './engine/Database.ts'
import { appUser, branch } from './schema/organisations.ts'
import { redemption } from './schema/redemptions.ts'
import { within, type Scope } from './Scope.ts'
import { instantCell, plainCell, textCell } from './tables/csvCells.ts'
import { containsText, type TableSource } from './tables/TableSource.ts'

export interface FoundPosUser {
  id: string
  username: string
  branchId: string
  branchName: string
  lastLoginAt: Date | null
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
  lastLoginAt: appUser.lastLoginAt,
  status: appUser.status,
  mustChangePassword: appUser.mustChangePassword,
  createdAt: appUser.createdAt,
  revision: appUser.revision,
}

export const posUserTable: TableSource<FoundPosUser, 'pos'> = {
  list: 'pos',
  id: appUser.id,
  matches: (db) => db.select({ id: appUser.id }).from(appUser).$dynamic(),
  columns,
  select: (db, fields) => db.select(fields).from(appUser).innerJoin(branch, eq(branch.id, appUser.branchId)).$dynamic(),
  within: isPosUserOf,
  sort: {
    guid: appUser.id,
    username: appUser.loginName,
    last_login: sql`coalesce(${appUser.lastLoginAt}, '-infinity')`,
    status: appUser.status,
  },
  filters: {
    status: (status) => eq(appUser.status, status),
    use: (_, today) => isUnusedPosUser(today),
    branch: (branchId) => eq(appUser.branchId, branchId),
  },
  search: (text) => containsText(appUser.loginName, text),
  csv: () => ({
    Username: textCell(appUser.loginName),
    'Branch code': textCell(branch.code),
    Branch: textCell(branch.name),
    Status: plainCell(appUser.status),
    'Last login': instantCell(appUser.lastLoginAt),
  }),
}

/**
 * True for POS users of any status that existed UNUSED_DAYS before `today` and have done nothing since. Counts whole Singapore days: a table opened
 * later today finds the same users.
 */
function isUnusedPosUser(today: string): SQL | undefined {
  const since = startOfDay(addDays(today, -UNUSED_DAYS))
  const hasNotLoggedIn = or(isNull(appUser.lastLoginAt), lt(appUser.lastLoginAt, since))
  const hasNotRedeemed = sql`NOT EXISTS (
    SELECT FROM ${redemption}
    WHERE ${redemption.posUserId} = ${appUser.id} AND ${redemption.redeemedAt} >= ${since.toISOString()}::timestamptz
  )`
  return and(lt(appUser.createdAt, since), hasNotLoggedIn, hasNotRedeemed)
}

/** Lists POS users of one branch of the scope by username, at most LIMITS.listRows. Inactive users are included, because reports cover them. */
export const posUsersOfBranch = (db: Db, scope: Scope, branchId: string): Promise<Option[]> =>
  db
    .select({ guid: appUser.id, name: appUser.loginName })
    .from(appUser)
    .where(and(isPosUserOf(scope), eq(appUser.branchId, branchId)))
    .orderBy(asc(appUser.loginName))
    .limit(LIMITS.listRows)

/** Finds POS users of the scope by their names. */
export async function posUsersNamed(db: Db, scope: Scope, names: string[]) {
  const found = await db
    .select({ id: appUser.id, name: appUser.loginName, branchId: appUser.branchId, passwordHash: appUser.passwordHash })
    .from(appUser)
    .where(and(isPosUserOf(scope), inArray(appUser.loginName, names)))
  return new Map(found.map((user) => [user.name, user]))
}

/** Finds a POS user of the scope, with their branch. */
export async function findPosUser(db: Db, scope: Scope, id: string) {
  const [found] = await db
    .select({ guid: appUser.id, name: appUser.loginName, branchId: appUser.branchId })
    .from(appUser)
    .where(and(isPosUserOf(scope), eq(appUser.id, id)))
  return found
}

function isPosUserOf(scope: Scope) {
  return and(within(scope, appUser.organisationId, appUser.branchId), eq(appUser.type, 'POS User'))
}
