import type { Endpoint } from '../../../../src/contract/endpoint.ts'
import { may } from '../../../../src/domain/accounts/permissions.ts'
import { isGated } from '../../../../src/domain/gate.ts'
import type { Clock } from '../../../Clock.ts'
import {
  ACTIVITY_WRITE_SECONDS,
  SESSION_STATEMENT,
  touchSession,
  type SessionRow,
  type SessionState,
} from '../../../db/accounts/sessions.ts'
import type { Database } from '../../../db/engine/Database.ts'
import { databaseCode } from '../../../db/engine/databaseError.ts'
import type { Deps } from '../../../Deps.ts'
import { Refusal } from '../../Refusal.ts'
import type { AccessTokens, Claims } from './accessTokens.ts'
import { actorOf, type Actor, type Caller } from './Actor.ts'

/** Returns the claims of a valid access token. Throws Refusal TOKEN_MISSING, TOKEN_INVALID or TOKEN_EXPIRED. */
export async function readToken(tokens: AccessTokens, token: string | undefined): Promise<Claims> {
  const claims = await readAnyToken(tokens, token)
  if (tokens.isExpired(claims)) throw new Refusal('TOKEN_EXPIRED')
  return claims
}

/** Returns the claims of an access token, even an expired one. For the refresh only (rule 4.3). */
export async function readAnyToken(tokens: AccessTokens, token: string | undefined): Promise<Claims> {
  if (token === undefined) throw new Refusal('TOKEN_MISSING')
  const claims = await tokens.read(token)
  if (!claims) throw new Refusal('TOKEN_INVALID')
  return claims
}

/** Returns the live session of `claims`. Throws Refusal SESSION_TERMINATED, SESSION_ENDED or SESSION_EXPIRED. */
export async function liveSession(
  { database, clock }: { database: Pick<Database, 'run'>; clock: Clock },
  claims: Claims,
): Promise<SessionRow> {
  const [row] = await database.run(SESSION_STATEMENT, [claims.sid, clock.now()])
  if (row?.state !== 'live') throw deadSession(row?.state)
  return row
}

/**
 * Returns the user behind `claims`, as the database knows them now. `idleSeconds` is the time since the user's last action, as the device measured
 * it. Only a health check sends it. Throws like `liveSession`.
 */
export async function authenticate(
  deps: Deps,
  claims: Claims,
  idleSeconds: number | undefined,
  caller: Pick<Caller, 'device' | 'tillTokenHash'>,
): Promise<Actor> {
  const row = await liveSession(deps, claims)
  await recordSessionUse(deps, claims, row, idleSeconds)
  return actorOf(row, caller)
}

/** Throws Refusal ACCOUNT_GATED or FORBIDDEN for an actor who may not call this endpoint. */
export function refuseUnlessAllowed({ access }: Pick<Endpoint, 'access'>, actor: Actor): void {
  if (typeof access === 'string') return
  if (isGated(actor)) throw new Refusal('ACCOUNT_GATED')
  if (!may(actor, access)) throw new Refusal('FORBIDDEN')
}

/** Returns the refusal for a session that is not live; `undefined` and null mean that there is no session. */
export const deadSession = (state: SessionState | null | undefined): Refusal => new Refusal(endedSessionCode(state))

function endedSessionCode(state: SessionState | null | undefined) {
  switch (state) {
    case 'superseded':
      return 'SESSION_TERMINATED'
    case 'expired':
      return 'SESSION_EXPIRED'
    default:
      return 'SESSION_ENDED'
  }
}

export type UsedSession = Pick<SessionRow, 'jti' | 'previous_jti' | 'confirmed_at' | 'last_active_at'>

/** Moves the idle limit and notes that a successor token is in use; writes only when there is something new. */
export async function recordSessionUse(
  { database, clock }: Deps,
  claims: Claims,
  row: UsedSession,
  idleSeconds: number | undefined,
) {
  // Calls that only read still work while the database cannot be written.
  if (database.writability() !== 'writable') return
  const now = clock.now()
  const activeAt = idleSeconds === undefined ? row.last_active_at : new Date(now.getTime() - idleSeconds * 1_000)
  const isNewActivity = activeAt.getTime() - row.last_active_at.getTime() >= ACTIVITY_WRITE_SECONDS * 1_000
  const isConfirmation = row.previous_jti !== null && row.confirmed_at === null && row.jti === claims.jti
  if (isNewActivity || isConfirmation) await touchSession(database.db, claims.sid, { jti: claims.jti, activeAt }, now)
}

/** Does the same as `recordSessionUse` after the call's own work, and only logs a failure, so that it does not hide the call's result. */
export async function noteSessionUse(...[deps, ...use]: Parameters<typeof recordSessionUse>): Promise<void> {
  try {
    await recordSessionUse(deps, ...use)
  } catch (error) {
    deps.log.warn('activity_not_noted', { code: databaseCode(error) })
  }
}
