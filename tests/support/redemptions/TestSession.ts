import { v7 as uuidv7 } from 'uuid'
import { insertSession } from '../../../server/db/accounts/sessions.ts'
import { accessTokens } from '../../../server/services/accounts/sessions/accessTokens.ts'
import { hashToken } from '../../../server/services/opaqueToken.ts'
import type { TestServer } from '../server/testServer.ts'

const TEN_YEARS = 3_650 * 86_400

export type TestSession = Awaited<ReturnType<typeof begin>>

/** Makes a session without a login, whose password hash is slow: a world begins hundreds of sessions and lives for days. */
export const TestSession = { begin }

/** `binding` is the value of the cookie with which tokens are refreshed, see `server/http/cookies.ts`. */
async function begin({ deps, database, clock }: TestServer, userId: string, binding: string = uuidv7()) {
  const [sessionId, jti] = [uuidv7(), uuidv7()]
  const now = clock.now()
  await insertSession(database.db, {
    id: sessionId,
    userId,
    jti,
    bindingHash: hashToken(binding),
    idleSeconds: TEN_YEARS,
    createdAt: now,
    lastActiveAt: now,
    endsAt: new Date(now.getTime() + TEN_YEARS * 1_000),
  })
  // Made at each call, because a token is valid only for a short time. It works as long as the session does.
  return { sessionId, token: () => accessTokens(deps).issue({ userId, sessionId, jti }) }
}
