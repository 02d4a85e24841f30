import type { ActivityRow } from '../../../src/contract/activity/activity.ts'
import type { ACTIVITY_COLUMNS, ACTIVITY_FILTERS } from '../../../src/contract/tables/tableColumns.ts'
import type { TablePage, TableQuery } from '../../../src/contract/tables/tableQuery.ts'
import { activityTable, type FoundActivity, type Reader } from '../../db/activity/activityTable.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { exportTable, readPage, type Export, type Listing } from '../tables/readTable.ts'

type Column = (typeof ACTIVITY_COLUMNS)[number]
type Filter = (typeof ACTIVITY_FILTERS)[number]
type Query = TableQuery<Column, Filter>

/** A page of what the actor may know. Throws Refusal VALIDATION_FAILED for a filter value that is none. */
export const readActivity = (deps: Deps, actor: Actor, query: Query): Promise<TablePage<ActivityRow>> =>
  readPage(deps, actor.scope, activityListing(actor), inOrder(query))

/** All of it, as CSV. Throws like `readActivity`. */
export const exportActivity = (deps: Deps, actor: Actor, query: Query): Promise<Export> =>
  exportTable(deps, actor, activityListing(actor), inOrder(query))

/** The newest first, if nothing else is asked: the one order that every index of the log has. */
const inOrder = (query: Query): Query =>
  query.order_by.length > 0 ? query : { ...query, order_by: [{ column: 'at', sort_type: 'desc' }] }

/** The log as `reader` may know it. */
const activityListing = (reader: Reader): Listing<FoundActivity, ActivityRow, Column, Filter> => ({
  table: activityTable(reader),
  rowOf: activityRow,
  listOrder: [{ column: 'at', sort_type: 'desc' }],
  nameOf: ({ action }) => action,
  title: 'Activity',
})

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
  branch_name: found.branchName,
  details: found.details,
})
