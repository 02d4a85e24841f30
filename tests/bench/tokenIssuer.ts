import type { Settings } from '../../server/Deps.ts'
import type { Secrets } from '../../server/secrets/secrets.ts'
import { accessTokens } from '../../server/services/accounts/sessions/accessTokens.ts'

/** Gives out tokens as the server at `url` with these secrets would. Without another one, a user's session has the user's id. */
export function tokenIssuer(url: string, secrets: Secrets): (userId: string, sessionId?: string) => Promise<string> {
  const settings = { publicUrl: url } as Settings
  const { issue } = accessTokens({ clock: { now: () => new Date() }, secrets, settings })
  return (userId, sessionId = userId) => issue({ userId, sessionId, jti: sessionId })
}
