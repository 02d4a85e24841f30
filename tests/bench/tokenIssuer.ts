import type { Settings } from '../../server/Deps.ts'
import { readSecrets } from '../../server/secrets.ts'
import { accessTokens } from '../../server/services/accessTokens.ts'
import type { ServerProcess } from '../support/serverProcess.ts'

interface Keys {
  jwtSecret: string
  passwordKey: string
}

/** Gives out tokens as the server with these keys would, for users whose session has their own id. */
export function tokenIssuer(
  { url }: Pick<ServerProcess, 'url'>,
  { jwtSecret, passwordKey }: Keys,
): (id: string) => Promise<string> {
  const settings = { publicUrl: url } as Settings
  const { issue } = accessTokens({
    clock: { now: () => new Date() },
    secrets: readSecrets(jwtSecret, passwordKey),
    settings,
  })
  return (id) => issue({ userId: id, sessionId: id, jti: id })
}
