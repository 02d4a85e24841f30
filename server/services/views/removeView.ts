import { deleteView } from '../../db/views.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { ownView } from './viewOf.ts'

/** Whose default it was has none then. Throws Refusal NOT_FOUND, FORBIDDEN for somebody else's. */
export async function removeView({ database: { db } }: Deps, actor: Actor, id: string): Promise<void> {
  await ownView(db, actor, id)
  await deleteView(db, id, actor.userId)
}
