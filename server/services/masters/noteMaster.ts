import { type ActivityEntry, noteActivity } from '../../db/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'

/** Writes down what `actor` did to a master of its organisation. */
export const noteMaster = (
  tx: Db,
  actor: Actor,
  { guid, name }: { guid: string; name: string },
  deed: Pick<ActivityEntry, 'action' | 'details'>,
  now: Date,
): Promise<void> => {
  const subject = { type: 'master', id: guid, name } as const
  return noteActivity(tx, actor, { organisationId: actor.organisation.id, subject, ...deed }, now)
}
