import type { LoginLinkKind } from '../../../../src/contract/accounts/auth.ts'
import { findOwnUser } from '../../../db/accounts/loginUsers.ts'
import { findEmailLink, findLink } from '../../../db/accounts/passwords.ts'
import { THROTTLES } from '../../../db/throttles.ts'
import type { Deps } from '../../../Deps.ts'
import { hashToken } from '../../opaqueToken.ts'
import { Refusal } from '../../Refusal.ts'
import type { Caller } from '../sessions/Actor.ts'
import { isInactive, signInBlocker } from '../sign-in/nextSignInStep.ts'
import { networkOf, refuseBeyond } from '../sign-in/throttledAttempt.ts'

interface Asked {
  kind: LoginLinkKind
  token: string
}

/**
 * Tells whether following the link would get as far as the password, and nothing else of it. It stays good. Throws Refusal
 * LINK_INVALID, and TOO_MANY_ATTEMPTS for a network with too many of those.
 */
export async function checkLink(deps: Deps, { kind, token }: Asked, { ipAddress }: Caller): Promise<void> {
  const { db } = deps.database
  const now = deps.clock.now()
  const tokenHash = hashToken(token)
  const userId =
    kind === 'email' ? (await findEmailLink(db, tokenHash, now))?.userId : await findLink(db, kind, tokenHash, now)
  const user = userId === undefined ? undefined : await findOwnUser(db, userId)
  if (user && !(kind === 'reset' ? signInBlocker(user) : isInactive(user))) return
  await refuseBeyond(db, THROTTLES.deadLink, networkOf(ipAddress), now)
  throw new Refusal('LINK_INVALID')
}
