import { and, eq, gte, inArray, lt, or, sql, type SQL } from 'drizzle-orm'
import * as v from 'valibot'
import type { ActivityRow } from '../../../src/contract/activity/activity.ts'
import {
  ACTIVITY_ACTIONS,
  ACTIVITY_KINDS,
  SUBJECT_FILTER,
  type ActivityKind,
} from '../../../src/contract/activity/activityActions.ts'
import { day, guid } from '../../../src/contract/fieldSchemas.ts'
import type { ACTIVITY_COLUMNS, ACTIVITY_FILTERS } from '../../../src/contract/tables/tableColumns.ts'
import type { TablePage, TableQuery } from '../../../src/contract/tables/tableQuery.ts'
import { ACTIVITY_LABELS, DETAIL_LABELS } from '../../../src/domain/activityLabels.ts'
import { addDays, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { ACTIVITY_SORT, activityTable, labelFor, type FoundActivity, type Reader } from '../../db/activity.ts'
import { activity } from '../../db/schema/activity.ts'
import { instantCell, plainCell, textCell } from '../../db/tables/csvCells.ts'
import { containsText } from '../../db/tables/DataTable.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { exportTable, filterBy, readPage, type Export, type Listing } from '../tables/readTable.ts'

type Query = TableQuery<(typeof ACTIVITY_COLUMNS)[number], (typeof ACTIVITY_FILTERS)[number]>

/** The newest first, if nothing else is asked: the one order that every index of the log has. */
const inOrder = (query: Query): Query =>
  query.order_by.length > 0 ? query : { ...query, order_by: [{ column: 'at', sort_type: 'desc' }] }

/** A page of what the actor may know. Throws Refusal VALIDATION_FAILED for a filter value that is none. */
export const readActivity = (deps: Deps, actor: Actor, query: Query): Promise<TablePage<ActivityRow>> =>
  readPage(deps, actor.scope, activityListing(actor), inOrder(query))

/** All of it, as CSV. Throws like `readActivity`. */
export const exportActivity = (deps: Deps, actor: Actor, query: Query): Promise<Export> =>
  exportTable(deps, actor, activityListing(actor), inOrder(query))

const activityRow = (found: FoundActivity): ActivityRow => ({
  guid: found.id,
  at: found.at.toISOString(),
  actor: found.actor,
  actor_guid: found.userId,
  via: found.via,
  device: found.device,
  action: found.action,
  subject: { type: found.subjectType, id: found.subjectId, name: found.subjectName },
  branch_guid: found.branchId,
  details: found.details,
})

const actionsOf = (kind: ActivityKind) =>
  Object.entries(ACTIVITY_ACTIONS).flatMap(([action, of]) => (of === kind ? [action] : []))

function isAbout(subject: string): SQL | undefined {
  const [, type = '', id = ''] = SUBJECT_FILTER.exec(subject) ?? []
  return and(eq(activity.subjectId, id), eq(activity.subjectType, type))
}

type ActivityListing = Listing<
  FoundActivity,
  ActivityRow,
  (typeof ACTIVITY_COLUMNS)[number],
  (typeof ACTIVITY_FILTERS)[number]
>

/** The log as `reader` may know it. */
export const activityListing = (reader: Reader): ActivityListing => ({
  table: activityTable(reader),
  columns: ACTIVITY_SORT,
  filters: {
    from: filterBy(day, (from) => gte(activity.at, startOfDay(from))),
    to: filterBy(day, (to) => lt(activity.at, startOfDay(addDays(to, 1)))),
    kind: filterBy(v.picklist(ACTIVITY_KINDS), (kind) => inArray(activity.action, actionsOf(kind))),
    actor: filterBy(guid, (userId) => eq(activity.userId, userId)),
    subject: filterBy(v.pipe(v.string(), v.regex(SUBJECT_FILTER)), isAbout),
  },
  search: (text) => or(containsText(activity.actor, text), containsText(activity.subjectName, text)),
  rowOf: activityRow,
  listOrder: [{ key: ACTIVITY_SORT.at, direction: 'desc' }],
  nameOf: ({ action }) => action,
  title: 'Activity',
  csv: () => ({
    Time: instantCell(activity.at),
    Person: textCell(activity.actor),
    Act: textCell(sentence),
    Device: plainCell(activity.device),
    Via: plainCell(activity.via),
    Details: textCell(facts),
  }),
})

/** As domain/activityWords has it. */
const sentence = sql`replace(${labelFor(ACTIVITY_LABELS, sql`${activity.action}`)}, '{name}', ${activity.subjectName})`

const facts = sql`(
  SELECT string_agg(${labelFor(DETAIL_LABELS, sql`key`)} || ': ' || CASE
    WHEN key LIKE '%\\_cents' THEN (value::bigint * 0.01)::text
    WHEN key = 'since' THEN ${instantCell(sql`value::timestamptz`)}
    ELSE value END, '; ')
  FROM jsonb_each_text(${activity.details})
)`
