import { noteActivity, type ActivityEntry } from '../../db/activity/activity.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'

/** `pieces` of a list as a file, and then that the actor has it. */
export const noteExport = <T>(deps: Deps, actor: Actor, title: string, pieces: AsyncGenerator<T, void, void>) =>
  noteWhenDelivered(
    deps,
    actor,
    { action: 'table.exported', subject: { type: 'list', id: title, name: title } },
    pieces,
  )

/** `pieces` of a file, and then that the actor has it: handed over to its end, for one that broke off is none. */
export async function* noteWhenDelivered<T>(
  { database, clock }: Deps,
  actor: Actor,
  entry: Omit<ActivityEntry, 'organisationId'>,
  pieces: AsyncGenerator<T, void, void>,
): AsyncGenerator<T, void, void> {
  yield* pieces
  await noteActivity(database.db, actor, { organisationId: actor.organisation.id, ...entry }, clock.now())
}
