import { and, asc, between, count, desc, eq, exists, isNull, lt, ne, sql, sum, type SQL } from 'drizzle-orm'
import type { AccountStatus } from '../../../src/contract/accounts/permissions.ts'
import { invitedAt } from '../accounts/passwords.ts'
import type { Db } from '../engine/Database.ts'
import { isUnusedPosUser } from '../posUsers.ts'
import { appUser, branch } from '../schema/organisations.ts'
import { hold, redemption, till } from '../schema/redemptions.ts'
import { voucher } from '../schema/vouchers.ts'
import { within, type Scope } from '../Scope.ts'

const heldIn = (scope: Scope) => and(isNull(hold.became), within(scope, hold.organisationId, hold.branchId))

/** What tills have on hold, past its end too, and how many tills that is. */
export async function sumOfHolds(db: Db, scope: Scope) {
  const tills = sql<number>`count(DISTINCT (${hold.branchId}, ${hold.tillId}))::int`
  const [found] = await db
    .select({ count: count(), cents: sum(voucher.denominationCents), tills })
    .from(hold)
    .innerJoin(voucher, eq(voucher.id, hold.voucherId))
    .where(heldIn(scope))
  return { count: found?.count ?? 0, cents: Number(found?.cents ?? 0), tills: found?.tills ?? 0 }
}

/** Holds that end before `end`, soonest first. */
export async function holdsEndingBefore(db: Db, scope: Scope, end: Date, limit: number) {
  const which = and(heldIn(scope), lt(hold.endsAt, end))
  const rows = await db
    .select({
      guid: voucher.id,
      till: hold.tillName,
      branchName: branch.name,
      cents: voucher.denominationCents,
      ends: hold.endsAt,
    })
    .from(hold)
    .innerJoin(voucher, eq(voucher.id, hold.voucherId))
    .innerJoin(branch, eq(branch.id, hold.branchId))
    .where(which)
    .orderBy(asc(hold.endsAt), asc(hold.id))
    .limit(limit)
  return { count: await db.$count(hold, which), rows }
}

const PENDING: AccountStatus = 'Pending Activation'

/** Logins of branches, and masters for whoever sees the organisation, that nobody has activated; oldest first. */
export async function pendingInvitations(db: Db, scope: Scope, withMasters: boolean, limit: number) {
  const which = notActivated(scope, withMasters)
  const oldestFirst = [asc(appUser.createdAt), asc(appUser.id)]
  return countAndList(db, which, oldestFirst, limit)
}

/** Those of them that were last mailed a link between the two moments; the last one first. */
export async function invitationsMailed(
  db: Db,
  scope: Scope,
  withMasters: boolean,
  { from, to }: { from: Date; to: Date },
  limit: number,
) {
  const mailedAt = invitedAt('app_user')
  const which = and(notActivated(scope, withMasters), between(mailedAt, from, to))
  const newestFirst = [desc(mailedAt), asc(appUser.id)]
  return countAndList(db, which, newestFirst, limit)
}

function notActivated(scope: Scope, withMasters: boolean): SQL | undefined {
  const types = withMasters ? sql`('Branch Merchant', 'Additional Merchant')` : sql`('Branch Merchant')`
  const mine =
    scope.branchIds === 'all'
      ? eq(appUser.organisationId, scope.organisationId)
      : within(scope, appUser.organisationId, appUser.branchId)
  return and(mine, sql`${appUser.type} IN ${types}`, eq(appUser.status, PENDING))
}

async function countAndList(db: Db, which: SQL | undefined, order: SQL[], limit: number) {
  return { count: await db.$count(appUser, which), rows: await listInvitations(db, which, order, limit) }
}

const listInvitations = (db: Db, which: SQL | undefined, order: SQL[], limit: number) =>
  db
    .select({
      type: appUser.type,
      accountId: appUser.id,
      branchId: appUser.branchId,
      name: sql<string>`coalesce(${branch.name}, ${appUser.name}, ${appUser.loginName})`,
      email: appUser.loginName,
      createdAt: appUser.createdAt,
      invitedAt: invitedAt('app_user'),
    })
    .from(appUser)
    .leftJoin(branch, eq(branch.id, appUser.branchId))
    .where(which)
    .orderBy(...order)
    .limit(limit)

/** Branches of the scope: how many are Active, and how many are not. */
export async function countBranches(db: Db, scope: Scope) {
  const isActive = sql`${branch.status} = 'Active'`
  const [found] = await db
    .select({
      active: sql<number>`(count(*) FILTER (WHERE ${isActive}))::int`,
      inactive: sql<number>`(count(*) FILTER (WHERE NOT ${isActive}))::int`,
    })
    .from(branch)
    .where(within(scope, branch.organisationId, branch.id))
  return { active: found?.active ?? 0, inactive: found?.inactive ?? 0 }
}

/** Whether a till of the scope has a name, whether any redemption there stands, and its oldest Active branch. */
export async function stepsTaken(db: Db, scope: Scope) {
  const tills = db
    .select()
    .from(till)
    .innerJoin(branch, eq(branch.id, till.branchId))
    .where(within(scope, branch.organisationId, branch.id))
  const redeemed = db
    .select()
    .from(redemption)
    .where(and(within(scope, redemption.organisationId, redemption.branchId), isNull(redemption.voidedAt)))
  const oldest = db
    .select({ id: branch.id })
    .from(branch)
    .where(and(within(scope, branch.organisationId, branch.id), eq(branch.status, 'Active')))
    .orderBy(asc(branch.createdAt), asc(branch.id))
    .limit(1)
  const steps = {
    till: sql<boolean>`${exists(tills)}`,
    redemption: sql<boolean>`${exists(redeemed)}`,
    branch_guid: sql<string | null>`(${oldest})`,
  }
  const [found] = await db.select(steps).from(sql`(VALUES (1)) AS one`)
  return found
}

const isPosUser = (scope: Scope) =>
  and(within(scope, appUser.organisationId, appUser.branchId), eq(appUser.type, 'POS User'))

export const countActivePosUsers = (db: Db, scope: Scope): Promise<number> =>
  db.$count(appUser, and(isPosUser(scope), eq(appUser.status, 'Active')))

/** Branches that are Active and have POS users who are Active too, but unused on `today`, by name. */
export async function unusedPosUsers(db: Db, scope: Scope, today: string, limit: number) {
  const names = sql<
    string[]
  >`(array_agg(${appUser.loginName} ORDER BY ${appUser.loginName}))[1:${sql.raw(String(limit))}]`
  const rows = await db
    .select({ branch_guid: branch.id, branch_name: branch.name, count: count(), usernames: names })
    .from(appUser)
    .innerJoin(branch, and(eq(branch.id, appUser.branchId), eq(branch.status, 'Active')))
    .where(and(isPosUser(scope), eq(appUser.status, 'Active'), isUnusedPosUser(today)))
    .groupBy(branch.id, branch.name)
    .orderBy(asc(branch.name), asc(branch.id))
  return { count: rows.length, rows: rows.slice(0, limit) }
}

/** Branches that are Active and have POS users who are not, by name. */
export async function inactivePosUsers(db: Db, scope: Scope, limit: number) {
  const rows = await db
    .select({ branch_guid: branch.id, branch_name: branch.name, count: count() })
    .from(appUser)
    .innerJoin(branch, and(eq(branch.id, appUser.branchId), eq(branch.status, 'Active')))
    .where(and(isPosUser(scope), ne(appUser.status, 'Active')))
    .groupBy(branch.id, branch.name)
    .orderBy(asc(branch.name), asc(branch.id))
  return { count: rows.length, rows: rows.slice(0, limit) }
}
