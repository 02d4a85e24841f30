import { and, eq, gte, inArray, lt, or, sql, type SQL } from 'drizzle-orm'
import { actionsCalled, ACTIVITY_BY_KIND, ACTIVITY_LABELS, DETAIL_LABELS } from '../../../src/domain/activityLabels.ts'
import { addDays, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { activity } from '../schema/activity.ts'
import { branch } from '../schema/organisations.ts'
import { within, type Scope } from '../Scope.ts'
import { instantCell, plainCell, textCell } from '../tables/csvCells.ts'
import { containsText, type TableSource } from '../tables/TableSource.ts'

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
  branchName: branch.name,
  details: activity.details,
}

export type FoundActivity = Omit<typeof activity.$inferSelect, 'organisationId'> & { branchName: string | null }

/** A row that names another organisation's branch shows no branch. */
const branchOfEntry = and(eq(branch.id, activity.branchId), eq(branch.organisationId, activity.organisationId))

/** The person who reads the log. */
export interface Reader {
  scope: Scope
  userId: string
  branch: { id: string } | null
}

/** The main account sees the whole organisation. Other readers see entries about their branches and their own actions. */
export const activityTable = (reader: Reader): TableSource<FoundActivity, 'activity'> => ({
  list: 'activity',
  id: activity.id,
  matches: (db) => db.select({ id: activity.id }).from(activity).$dynamic(),
  columns,
  select: (db, fields) => db.select(fields).from(activity).leftJoin(branch, branchOfEntry).$dynamic(),
  within: () => visibleTo(reader),
  sort: { at: activity.at },
  filters: {
    from: (from) => gte(activity.at, startOfDay(from)),
    to: (to) => lt(activity.at, startOfDay(addDays(to, 1))),
    kind: (kind) => inArray(activity.action, Object.keys(ACTIVITY_BY_KIND[kind])),
    action: (action) => eq(activity.action, action),
    actor: (userId) => eq(activity.userId, userId),
    branch: (branchId) => eq(activity.branchId, branchId),
    subject: isAbout,
  },
  search: (text) =>
    or(
      containsText(activity.actor, text),
      containsText(activity.subjectName, text),
      inArray(activity.action, actionsCalled(text)),
    ),
  csv: () => ({
    Time: instantCell(activity.at),
    Person: textCell(activity.actor),
    Action: textCell(sentence),
    Branch: textCell(branch.name),
    Device: plainCell(activity.device),
    Via: plainCell(activity.via),
    Details: textCell(facts),
  }),
})

/** Returns the condition for the rows of the log that this person may see. */
export function visibleTo({ scope, userId, branch }: Reader): SQL | undefined {
  const ofBranches = within(scope, activity.organisationId, activity.branchId)
  // A branch's actions all concern the branch, so one index has its log in order.
  if (scope.branchIds === 'all' || branch) return ofBranches
  return or(ofBranches, and(eq(activity.organisationId, scope.organisationId), eq(activity.userId, userId)))
}

function isAbout(subject: string): SQL | undefined {
  const [type = '', id = ''] = subject.split(':')
  return and(eq(activity.subjectId, id), eq(activity.subjectType, type))
}

/** SQL: the label of a code, or the code itself. */
const labelFor = (labels: Record<string, string>, code: SQL): SQL =>
  sql`coalesce(${JSON.stringify(labels)}::jsonb ->> ${code}, ${code})`

/** The action in words, as the activity log shows it. */
const sentence = sql`replace(${labelFor(ACTIVITY_LABELS, sql`${activity.action}`)}, '{name}', ${activity.subjectName})`

const facts = sql`(
  SELECT string_agg(${labelFor(DETAIL_LABELS, sql`key`)} || ': ' || CASE
    WHEN key LIKE '%\\_cents' THEN (value::bigint * 0.01)::text
    WHEN key = 'since' THEN ${instantCell(sql`value::timestamptz`)}
    ELSE value END, '; ')
  FROM jsonb_each_text(${activity.details})
)`
