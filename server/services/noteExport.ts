import { noteActivity } from '../db/activities.ts'
import type { Deps } from '../Deps.ts'
import type { Actor } from './Actor.ts'

/** `pieces`, and then that the actor has the list. Written once it was handed over to its end: one that broke off is none. */
export async function* noteExport<T>(
  { database, clock }: Deps,
  actor: Actor,
  title: string,
  pieces: AsyncGenerator<T, void, void>,
): AsyncGenerator<T, void, void> {
  yield* pieces
  const subject = { type: 'list', id: title, name: title } as const
  const deed = { organisationId: actor.organisation.id, action: 'table.exported', subject } as const
  await noteActivity(database.db, actor, deed, clock.now())
}
