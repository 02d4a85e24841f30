import type { SignIn } from '../../src/contract/accounts/account.ts'
import { listSignIns } from '../db/accounts/sign-in/signIns.ts'
import type { Deps } from '../Deps.ts'
import type { Actor } from './accounts/sessions/Actor.ts'

/** The last attempts to sign in to the actor's own account, newest first. */
export async function recentSignIns({ database }: Deps, actor: Actor): Promise<SignIn[]> {
  const attempts = await listSignIns(database.db, actor.userId)
  return attempts.map(({ id, at, outcome, device, ipAddress, sessionId }) => ({
    guid: id,
    at: at.toISOString(),
    outcome,
    device,
    ip_address: ipAddress,
    is_this_session: sessionId === actor.sessionId,
  }))
}
