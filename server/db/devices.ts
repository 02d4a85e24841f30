import { and, eq, gt, isNotNull, isNull, lt, or, sql, type Column, type SQL } from 'drizzle-orm'
import { CLOCK_OFF_MS } from '../../src/domain/devices/readiness.ts'
import { openCentsOfTill } from './allowance/grants.ts'
import type { Db } from './engine/Database.ts'
import { hasUnsettled, unsettledColumns } from './redemptions/holds.ts'
import { tillHasLateUploads, lateUploadColumns } from './redemptions/lateUploads.ts'
import { deviceReport } from './schema/devices.ts'
import { appUser, branch } from './schema/organisations.ts'
import { till } from './schema/redemptions.ts'
import { within, type Scope } from './Scope.ts'
import { instantCell, moneyCell, plainCell, textCell } from './tables/csvCells.ts'
import { containsText, selectPage, type TableSource } from './tables/TableSource.ts'

const columns = {
  id: till.guid,
  tillId: till.id,
  name: till.name,
  branchId: branch.id,
  branchName: branch.name,
  namedAt: till.namedAt,
  enrolledAt: till.enrolledAt,
  revokedAt: till.revokedAt,
  movedTo: sql<string | null>`(SELECT name FROM branch AS other WHERE other.id = ${till.movedTo})`,
  removalRequestedAt: till.removalRequestedAt,
  removedAt: till.removedAt,
  ...lateUploadColumns,
  openAllowanceCents: openCentsOfTill,
  heardAt: deviceReport.heardAt,
  clockOffsetMs: deviceReport.clockOffsetMs,
  build: deviceReport.build,
  updateWaits: deviceReport.updateWaits,
  browser: deviceReport.browser,
  persistent: deviceReport.persistent,
  waitingCount: deviceReport.waitingCount,
  waitingCents: deviceReport.waitingCents,
  oldestWaitingAt: deviceReport.oldestWaitingAt,
  refused: deviceReport.refused,
  userName: appUser.loginName,
}

type Report = typeof deviceReport.$inferSelect

/** A till. All fields of the report are null until it has sent one. */
export type FoundDevice = {
  tillId: string
  name: string
  branchId: string
  branchName: string
  namedAt: Date
  enrolledAt: Date | null
  revokedAt: Date | null
  /** The name of the branch that the till was moved to. */
  movedTo: string | null
  removalRequestedAt: Date | null
  removedAt: Date | null
  lateCount: number
  lateCents: number
  lateNewestAt: Date | null
  /** Unsettled holds of the till. */
  unsettledCount: number
  unsettledCents: number
  /** Cents that the till may have accepted, or may still accept, without a check. */
  openAllowanceCents: number
  userName: string | null
} & { [K in Exclude<keyof Report, 'tillGuid' | 'posUserId'>]: Report[K] | null }

const isWaiting = gt(deviceReport.waitingCount, 0)
const isRefused = gt(deviceReport.refused, 0)
const isClockOff = sql`abs(${deviceReport.clockOffsetMs}) > ${CLOCK_OFF_MS}`
const updateWaits = sql<boolean>`coalesce(${deviceReport.updateWaits}, false)`

/**
 * Ranks tills for sorting: waiting money first, then tills to review, then smaller problems. A revoked till without waiting money comes last. Among equals, the till that has been
 * silent longest comes first.
 */
const attentionRank = (unsettled: SQL) => sql`
  (CASE WHEN ${isWaiting} OR ${unsettled} THEN 3 WHEN ${isRefused} OR ${tillHasLateUploads} THEN 2
    WHEN ${till.revokedAt} IS NOT NULL THEN -1 WHEN ${isClockOff} OR ${updateWaits} THEN 1 ELSE 0 END) * 1e11
  - coalesce(extract(epoch FROM ${deviceReport.heardAt}), 0)`

const reportOfTill = eq(deviceReport.tillGuid, till.guid)
const branchOfTill = eq(branch.id, till.branchId)
/** A report's user is shown only if they belong to the till's branch. */
const userOfReport = and(eq(appUser.id, deviceReport.posUserId), eq(appUser.branchId, till.branchId))

/** The table of tills. A hold counts as not settled only if it was made before `heldBefore`. */
export const deviceTable = (heldBefore: Date): TableSource<FoundDevice, 'device'> => ({
  list: 'device',
  id: till.guid,
  matches: (db) =>
    db
      .select({ id: till.guid })
      .from(till)
      .innerJoin(branch, branchOfTill)
      .leftJoin(deviceReport, reportOfTill)
      .$dynamic(),
  columns: { ...columns, ...unsettledColumns(heldBefore) },
  select: (db, fields) =>
    db
      .select(fields)
      .from(till)
      .innerJoin(branch, branchOfTill)
      .leftJoin(deviceReport, reportOfTill)
      .leftJoin(appUser, userOfReport)
      .$dynamic(),
  within: (scope) => within(scope, branch.organisationId, branch.id),
  sort: {
    attention: attentionRank(hasUnsettled(heldBefore)),
    name: till.name,
    branch: branch.name,
    heard_at: sql`coalesce(${deviceReport.heardAt}, '-infinity')`,
    waiting: sql`coalesce(${deviceReport.waitingCents}, 0)`,
  },
  filters: {
    state: (state) => (state === 'not settled' ? hasUnsettled(heldBefore) : STATES[state]),
    branch: (id) => eq(till.branchId, id),
  },
  search: (text) => containsText(till.name, text),
  csv: () => ({
    Name: textCell(till.name),
    Branch: textCell(branch.name),
    Enrolled: instantCell(till.enrolledAt),
    Revoked: instantCell(till.revokedAt),
    'Logged in': textCell(appUser.loginName),
    'Last seen': instantCell(deviceReport.heardAt),
    Waiting: plainCell(deviceReport.waitingCount),
    'Waiting amount': moneyCell(deviceReport.waitingCents),
    'Oldest waiting': instantCell(deviceReport.oldestWaitingAt),
    'Held, not settled': plainCell(unsettledColumns(heldBefore).unsettledCount),
    'Held, not settled, amount': moneyCell(unsettledColumns(heldBefore).unsettledCents),
    'Uploads refused': plainCell(deviceReport.refused),
    'Late uploads to review': plainCell(lateUploadColumns.lateCount),
    'Update waits': yesOrNo(deviceReport.updateWaits),
    Build: textCell(deviceReport.build),
    Browser: textCell(deviceReport.browser),
    'Storage is permanent': yesOrNo(deviceReport.persistent),
    'Clock is behind by (seconds)': plainCell(sql`(${deviceReport.clockOffsetMs} / 1000)`),
  }),
})

const yesOrNo = (flag: Column) => sql`CASE WHEN ${flag} THEN 'Yes' WHEN NOT ${flag} THEN 'No' END`

const STATES = {
  waiting: isWaiting,
  refused: isRefused,
  'to review': tillHasLateUploads,
  'update waits': updateWaits,
  'not reported': isNull(deviceReport.tillGuid),
  'not enrolled': and(isNull(till.enrolledAt), isNull(till.revokedAt)),
  revoked: isNotNull(till.revokedAt),
}

/**
 * Finds tills of the scope whose money needs attention, the worst first:
 *
 * - vouchers wait, and the last report came between `heard.since` and `heard.before`
 * - a hold from before `held` is not settled
 * - late uploads need a review
 */
export const tillsInNeed = (
  db: Db,
  scope: Scope,
  { heard, held }: { heard: { since: Date; before: Date }; held: Date },
  limit: number,
) => {
  const table = deviceTable(held)
  const isSilent = and(isWaiting, lt(deviceReport.heardAt, heard.before), gt(deviceReport.heardAt, heard.since))
  const conditions = [or(isSilent, hasUnsettled(held), tillHasLateUploads)]
  const order = [{ key: table.sort.attention, direction: 'desc' } as const]
  return selectPage(db, table, { scope, conditions, order }, { start: 0, limit })
}

/** Stores a till's report in place of its last one. */
export async function putReport(db: Db, row: typeof deviceReport.$inferInsert): Promise<void> {
  await db.insert(deviceReport).values(row).onConflictDoUpdate({ target: deviceReport.tillGuid, set: row })
}
