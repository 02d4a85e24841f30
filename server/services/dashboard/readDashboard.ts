import {
  DASHBOARD,
  type Attention,
  type Dashboard,
  type EndingHold,
  type Invitation,
  type LatestRedemption,
} from '../../../src/contract/dashboard.ts'
import type { Sum } from '../../../src/contract/reports/reportPreview.ts'
import { may } from '../../../src/domain/accounts/permissions.ts'
import { monthBeforeToDate, monthToDate } from '../../../src/domain/months.ts'
import { addDays, singaporeDay, startOfDay } from '../../../src/domain/singaporeTime.ts'
import {
  countActivePosUsers,
  countBranches,
  holdsEndingBefore,
  inactivePosUsers,
  pendingInvitations,
  stepsTaken,
  sumOfHolds,
  unusedPosUsers,
} from '../../db/dashboard/attention.ts'
import { latestRedemptions, sumsByBranch, sumsPerDay } from '../../db/dashboard/dashboard.ts'
import type { Db } from '../../db/engine/Database.ts'
import { countOpenMasters } from '../../db/masters.ts'
import type { Deps } from '../../Deps.ts'
import { isPasswordOld } from '../accounts/passwords/passwordPolicy.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { branchLines, denominationLines, sumsBy } from '../reports/sums.ts'

/** Whole Singapore days, both included: what a link to the voucher table can say as well. */
const wholeDays = (from: string, to: string) => ({ from: startOfDay(from), before: startOfDay(addDays(to, 1)) })

/**
 * The figures of the actor's scope (rule 10.5). Today and the months are added up from the days, and everything is read from one
 * state of the database, so that no two numbers disagree.
 */
export const readDashboard = ({ database, clock }: Deps, actor: Actor): Promise<Dashboard> =>
  database.db.transaction((tx: Db) => figures(tx, actor, clock.now()), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  })

async function figures(db: Db, actor: Actor, now: Date): Promise<Dashboard> {
  const { scope } = actor
  const today = singaporeDay(now)
  const firstDay = addDays(today, 1 - DASHBOARD.days)
  const month = monthToDate(today)
  const before = monthBeforeToDate(today)
  // Two months can begin earlier than sixty days ago.
  const perDay = await sumsPerDay(db, scope, wholeDays(before.from < firstDay ? before.from : firstDay, today))
  const byBranch = await sumsByBranch(db, scope, wholeDays(month.from, month.to))
  const latest = await latestRedemptions(db, scope, wholeDays(firstDay, today), DASHBOARD.latest)
  const branches = await countBranches(db, scope)
  return {
    as_of: now.toISOString(),
    today_is: today,
    today: sumOfDays(perDay, { from: today, to: today }),
    month: sumOfDays(perDay, month),
    month_before: { ...before, ...sumOfDays(perDay, before) },
    on_hold: await sumOfHolds(db, scope),
    per_day: daysFrom(firstDay, perDay),
    by_branch: await branchLines(
      db,
      sumsBy(byBranch, ({ branchId }) => branchId),
    ),
    by_denomination: denominationLines(sumsBy(byBranch, ({ denominationCents }) => denominationCents)),
    latest: latest.map(toLatest),
    active_branches: branches.active,
    active_pos_users: await countActivePosUsers(db, scope),
    first_steps: await stepsTaken(db, scope),
    attention: await needsAttention(db, actor, branches.inactive, now),
  }
}

type Found = Awaited<ReturnType<typeof latestRedemptions>>[number]
const toLatest = (row: Found): LatestRedemption => ({
  guid: row.guid,
  serial: row.serial,
  denomination_cents: row.denominationCents,
  redeemed_at: row.redeemedAt.toISOString(),
  branch_name: row.branchName,
  pos_username: row.posUsername,
})

const daysFrom = (first: string, perDay: ReadonlyMap<string, Sum>): Dashboard['per_day'] =>
  Array.from({ length: DASHBOARD.days }, (_, index) => {
    const day = addDays(first, index)
    return { day, ...(perDay.get(day) ?? NOTHING) }
  })

const NOTHING: Sum = { count: 0, cents: 0 }

function sumOfDays(perDay: ReadonlyMap<string, Sum>, { from, to }: { from: string; to: string }): Sum {
  let sum = NOTHING
  for (const [day, one] of perDay) {
    if (day >= from && day <= to) sum = { count: sum.count + one.count, cents: sum.cents + one.cents }
  }
  return sum
}

const ENDING_MS = DASHBOARD.endingHoldHours * 3_600_000

/** What the actor can look after, and nothing that only somebody else could. */
async function needsAttention(db: Db, actor: Actor, inactive_branches: number, now: Date): Promise<Attention> {
  const { scope } = actor
  const most = DASHBOARD.namedRows
  const hasMasters = may(actor, { feature: 'masters', action: 'view' })
  const hasBranches = may(actor, { feature: 'branches', action: 'view' })
  const holds = await holdsEndingBefore(db, scope, new Date(now.getTime() + ENDING_MS), most)
  const invited = hasBranches ? await pendingInvitations(db, scope, hasMasters, most) : { count: 0, rows: [] }
  return {
    holds: { count: holds.count, rows: holds.rows.map(toEndingHold) },
    invitations: { count: invited.count, rows: invited.rows.map(toInvitation) },
    inactive_branches: hasBranches ? inactive_branches : 0,
    inactive_pos_users: await inactivePosUsers(db, scope, most),
    unused_pos_users: await unusedPosUsers(db, scope, singaporeDay(now), most),
    open_masters: hasMasters ? await countOpenMasters(db, scope) : null,
    password_set_at: isPasswordOld(actor.passwordChangedAt, now) ? actor.passwordChangedAt.toISOString() : null,
  }
}

type FoundHold = Awaited<ReturnType<typeof holdsEndingBefore>>['rows'][number]
const toEndingHold = ({ guid, till, branchName, cents, ends }: FoundHold): EndingHold => ({
  guid,
  till: till ?? '',
  branch_name: branchName,
  cents,
  // Both are there whenever a voucher is held; the database makes sure of it.
  ends: (ends ?? new Date(0)).toISOString(),
})

type FoundInvitation = Awaited<ReturnType<typeof pendingInvitations>>['rows'][number]
const toInvitation = ({
  type,
  accountId,
  branchId,
  name,
  email,
  createdAt,
  invitedAt,
}: FoundInvitation): Invitation => ({
  kind: type === 'Branch Merchant' ? 'branch' : 'master',
  guid: branchId ?? accountId,
  account_guid: accountId,
  name,
  email,
  created_at: createdAt.toISOString(),
  invited_at: invitedAt?.toISOString() ?? null,
})
