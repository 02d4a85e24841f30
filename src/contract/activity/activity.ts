import * as v from 'valibot'
import { guid } from '../fieldSchemas.ts'
import { listEndpoints } from '../tables/resourceEndpoints.ts'
import { instant } from '../wireFields.ts'

/**
 * One act, as logged when it was done, with the names of that moment. Codes and types may be newer than the client, which then shows them as they
 * are.
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
  /** A key of ACTIVITY_LABELS (domain/activityLabels.ts). */
  action: v.string(),
  subject: v.object({ type: v.string(), id: v.string(), name: v.string() }),
  /** The branch that the act is about, if any. */
  branch_guid: v.nullable(guid),
  /** Its current name; null when the act is about no branch, or about one that was deleted. */
  branch_name: v.optional(v.nullable(v.string()), null),
  /** Names of changed fields, amounts in cents, counts. Never a password, a PIN, a token or a bank account. */
  details: v.record(v.string(), v.union([v.string(), v.number()])),
})
export type ActivityRow = v.InferOutput<typeof ActivityRow>

export const activity = listEndpoints({
  path: '/activity',
  feature: 'activity',
  list: 'activity',
  row: ActivityRow,
  rows: 'acts of my scope, who did what',
})
