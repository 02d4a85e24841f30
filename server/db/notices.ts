import { and, asc, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { AccountStatus } from '../../src/contract/accounts/permissions.ts'
import { invitedAt } from './accounts/passwords.ts'
import { visibleTo, type Reader } from './activity/activityTable.ts'
import type { Db } from './engine/Database.ts'
import { activity } from './schema/activity.ts'
import { appUser, branch } from './schema/organisations.ts'
import { within, type Scope } from './Scope.ts'

const PENDING: AccountStatus = 'Pending Activation'

/**
 * Reads accounts that are not activated and were last mailed a link before `mailedBefore`: logins of branches, and masters if `withMasters` is true.
 * Returns one row per type: the account with the newest link, and the number of accounts.
 */
export function unusedInvitations(db: Db, scope: Scope, withMasters: boolean, mailedBefore: Date) {
  const types = withMasters ? sql`('Branch Merchant', 'Additional Merchant')` : sql`('Branch Merchant')`
  const mailedAt = invitedAt('app_user')
  const isInScope =
    scope.branchIds === 'all'
      ? eq(appUser.organisationId, scope.organisationId)
      : within(scope, appUser.organisationId, appUser.branchId)
  return db
    .selectDistinctOn([appUser.type], {
      type: appUser.type,
      accountId: appUser.id,
      branchId: appUser.branchId,
      name: sql<string>`coalesce(${branch.name}, ${appUser.name}, ${appUser.loginName})`,
      email: appUser.loginName,
      mailedAt,
      count: sql<number>`(count(*) OVER (PARTITION BY ${appUser.type}))::int`,
    })
    .from(appUser)
    .leftJoin(branch, eq(branch.id, appUser.branchId))
    .where(and(isInScope, sql`${appUser.type} IN ${types}`, eq(appUser.status, PENDING), lt(mailedAt, mailedBefore)))
    .orderBy(asc(appUser.type), desc(mailedAt), asc(appUser.id))
}

/** Reads the provider's actions since `since` that the reader may see, newest first. */
export const actsOfProvider = (db: Db, reader: Reader, since: Date, limit: number) =>
  db
    .select({
      id: activity.id,
      at: activity.at,
      action: activity.action,
      subject: { type: activity.subjectType, id: activity.subjectId, name: activity.subjectName },
      branch_name: branch.name,
      details: activity.details,
    })
    .from(activity)
    .leftJoin(branch, eq(branch.id, activity.branchId))
    // Only the provider acts without an account.
    .where(and(visibleTo(reader), isNull(activity.userId), gt(activity.at, since)))
    .orderBy(desc(activity.at), desc(activity.id))
    .limit(limit)
