import type { ActivityRow } from '../../../src/contract/activity/activity.ts'
import type { ACTIVITY_COLUMNS, ACTIVITY_FILTERS } from '../../../src/contract/tables/tableColumns.ts'
import type { TablePage, TableQuery } from '../../../src/contract/tables/tableQuery.ts'
import type { Deps } from '../../Deps.ts'
import { activityListing } from '../activityView.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { type Export, exportTable, readPage } from '../tables/readTable.ts'

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
