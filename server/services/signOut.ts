import { noteActivity } from '../db/activity.ts'
import type { Db } from '../db/engine/Database.ts'
import { endSession } from '../db/accounts/sessions.ts'
import { findOwnUser } from '../db/accounts/loginUsers.ts'
import type { Deps } from '../Deps.ts'
import type { Actor } from './accounts/sessions/Actor.ts'
import { activityTarget } from './activity/activityTarget.ts'

/** Ends the actor's session. */
export const signOut = ({ database, clock }: Deps, actor: Actor): Promise<void> =>
  database.db.transaction(async (tx: Db) => {
    const now = clock.now()
    await endSession(tx, actor.sessionId, 'logout', now)
    const user = await findOwnUser(tx, actor.userId)
    if (user) await noteActivity(tx, actor, { action: 'session.signed_out', ...activityTarget(user) }, now)
  })
