import { noteActivity } from '../db/activities.ts'
import type { Db } from '../db/Database.ts'
import { endSession } from '../db/sessions.ts'
import { findOwnUser } from '../db/users.ts'
import type { Deps } from '../Deps.ts'
import type { Actor } from './Actor.ts'
import { concerning } from './concerning.ts'

/** Ends the actor's session. */
export const signOut = ({ database, clock }: Deps, actor: Actor): Promise<void> =>
  database.db.transaction(async (tx: Db) => {
    const now = clock.now()
    await endSession(tx, actor.sessionId, 'logout', now)
    const user = await findOwnUser(tx, actor.userId)
    if (user) await noteActivity(tx, actor, { action: 'session.signed_out', ...concerning(user) }, now)
  })
