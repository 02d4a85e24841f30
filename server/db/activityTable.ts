import { and, eq, or, sql, type SQL } from 'drizzle-orm'
import type { ACTIVITY_COLUMNS } from '../../src/contract/tables/tableColumns.ts'
import type { DataTable, SortKey } from './tables/DataTable.ts'
import { activity } from './schema.ts'
import { type Scope, within } from './Scope.ts'

const columns = {
  id: activity.id,
  at: activity.at,
  userId: activity.userId,
  actor: activity.actor,
  via: activity.via,
  device: activity.device,
  action: activity.action,
  subjectType: activity.subjectType,
  subjectId: activity.subjectId,
  subjectName: activity.subjectName,
  branchId: activity.branchId,
  details: activity.details,
}
export type FoundActivity = Omit<typeof activity.$inferSelect, 'organisationId'>

/** Who reads the log. */
export interface Reader {
  scope: Scope
  userId: string
  branch: { id: string } | null
}

/** The whole organisation to its main account; else what concerns the reader's branches, and what it did itself. */
export const activityTable = (reader: Reader): DataTable<FoundActivity> => ({
  id: activity.id,
  matches: (db) => db.select({ id: activity.id }).from(activity).$dynamic(),
  columns,
  select: (db, fields) => db.select(fields).from(activity).$dynamic(),
  within: () => visibleTo(reader),
})

function visibleTo({ scope, userId, branch }: Reader): SQL | undefined {
  const ofBranches = within(scope, activity.organisationId, activity.branchId)
  // All that a branch does concerns it, so that one index has its log in order.
  if (scope.branchIds === 'all' || branch) return ofBranches
  return or(ofBranches, and(eq(activity.organisationId, scope.organisationId), eq(activity.userId, userId)))
}

export const ACTIVITY_SORT: Record<(typeof ACTIVITY_COLUMNS)[number], SortKey> = {
  at: activity.at,
}

/** What is in `words` for a code; the code where there is nothing. */
export const labelFor = (words: Record<string, string>, code: SQL): SQL =>
  sql`coalesce(${JSON.stringify(words)}::jsonb ->> ${code}, ${code})`
