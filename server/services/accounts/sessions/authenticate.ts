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

/** Claims of an access token good now. Throws Refusal TOKEN_MISSING, TOKEN_INVALID or TOKEN_EXPIRED. */
export async function readToken(tokens: AccessTokens, token: string | undefined): Promise<Claims> {
  const claims = await readAnyToken(tokens, token)
  if (tokens.isExpired(claims)) throw new Refusal('TOKEN_EXPIRED')
  return claims
}

/** As `readToken`, but a token past its exp is as good as any: for the refresh alone (rule 4.3). */
export async function readAnyToken(tokens: AccessTokens, token: string | undefined): Promise<Claims> {
  if (token === undefined) throw new Refusal('TOKEN_MISSING')
  const claims = await tokens.read(token)
  if (!claims) throw new Refusal('TOKEN_INVALID')
  return claims
}

/** The live session of `claims`. Throws Refusal SESSION_TERMINATED, SESSION_ENDED or SESSION_EXPIRED. */
export async function liveSession(
  { database, clock }: { database: Pick<Database, 'run'>; clock: Clock },
  claims: Claims,
): Promise<SessionRow> {
  const [row] = await database.run(SESSION_STATEMENT, [claims.sid, clock.now()])
  if (row?.state !== 'live') throw deadSession(row?.state)
  return row
}

/**
 * The person behind `claims`, as the database knows them now. `idleSeconds` is how long ago they last did something, as
 * their device tells; without it the call is not a health check. Throws like `liveSession`.
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

/** Throws Refusal ACCOUNT_GATED or FORBIDDEN for who may not call this endpoint. */
export function refuseUnlessAllowed({ access }: Pick<Endpoint, 'access'>, actor: Actor): void {
  if (typeof access === 'string') return
  if (isGated(actor)) throw new Refusal('ACCOUNT_GATED')
  if (!may(actor, access)) throw new Refusal('FORBIDDEN')
}

/** What a session that is not live answers with; `undefined` and null stand for one that is not there. */
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

/** Moves the idle limit and notes that a successor token is in use, when there is something to write. */
export async function recordSessionUse(
  { database, clock }: Deps,
  claims: Claims,
  row: UsedSession,
  idleSeconds: number | undefined,
) {
  // Who only reads goes on while nothing can be written.
  if (database.writability() !== 'writable') return
  const now = clock.now()
  const activeAt = idleSeconds === undefined ? row.last_active_at : new Date(now.getTime() - idleSeconds * 1_000)
  const isNews = activeAt.getTime() - row.last_active_at.getTime() >= ACTIVITY_WRITE_SECONDS * 1_000
  const isConfirmation = row.previous_jti !== null && row.confirmed_at === null && row.jti === claims.jti
  if (isNews || isConfirmation) await touchSession(database.db, claims.sid, claims.jti, activeAt, now)
}

/** The same once it is settled what the call was about: that must not be hidden by a failure of this. */
export async function noteSessionUse(...[deps, ...use]: Parameters<typeof recordSessionUse>): Promise<void> {
  try {
    await recordSessionUse(deps, ...use)
  } catch (error) {
    deps.log.warn('activity_not_noted', { code: databaseCode(error) })
  }
}
