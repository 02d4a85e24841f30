import * as v from 'valibot'
import { guid } from '../fieldSchemas.ts'
import { listEndpoints } from '../tables/resourceEndpoints.ts'
import { instant } from '../wireFields.ts'

/** An activity entry, with the names at the time of the action. A client that does not know an action or a type shows its code. */
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
  /** The branch that the action is about, if any. */
  branch_guid: v.nullable(guid),
  /** The current name of this branch; null without a branch, or if it was deleted. */
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
  rows: 'activity entries of my scope',
})
