import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { guid } from '../fieldSchemas.ts'
import { ACTIVITY_COLUMNS, ACTIVITY_FILTERS } from '../tables/tableColumns.ts'
import { tablePage, tableQuery } from '../tables/tableQuery.ts'
import { instant } from '../wireFields.ts'

/**
 * One act, as it was written down when it was done. Names are those of that moment; codes and types may be newer than the client,
 * which then shows them as they are.
 */
export const ActivityRow = v.object({
  guid,
  at: instant,
  /** The login name, or "Provider". */
  actor: v.string(),
  /** Null for the provider. */
  actor_guid: v.nullable(guid),
  via: v.string(),
  /** "Chrome on Windows". */
  device: v.nullable(v.string()),
  /** Of ACTIVITY_ACTIONS. */
  action: v.string(),
  subject: v.object({ type: v.string(), id: v.string(), name: v.string() }),
  /** The branch it concerns, if it is about one. */
  branch_guid: v.nullable(guid),
  /** As it is called now; null where it is about none, or about one that was deleted. */
  branch_name: v.optional(v.nullable(v.string()), null),
  /** Names of changed fields, amounts in cents, counts. Never a password, a PIN, a token or a bank account. */
  details: v.record(v.string(), v.union([v.string(), v.number()])),
})
export type ActivityRow = v.InferOutput<typeof ActivityRow>

const query = tableQuery(ACTIVITY_COLUMNS, ACTIVITY_FILTERS)
const view = { base: 'api', access: { feature: 'activity', action: 'view' } } as const

export const activityTable = endpoint({
  ...view,
  method: 'POST',
  path: '/activity/datatable',
  summary: 'Who did what in my scope, newest first',
  body: query,
  answer: tablePage(ActivityRow),
  errors: ['START_TOO_DEEP'],
})

export const exportActivity = endpoint({
  ...view,
  method: 'POST',
  path: '/activity/export',
  summary: 'The whole filtered activity log as CSV',
  body: query,
  answer: 'file',
})
