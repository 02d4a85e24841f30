import { insertLink } from '../../server/db/accounts/passwords.ts'
import { hashToken, newToken } from '../../server/services/opaqueToken.ts'
import type { User } from './database/builders.ts'
import type { PortalOrigin } from './browser/portalOrigin.ts'

/** The link of an activation e-mail to `user`; one before it is bad from now on. */
export async function activationLink({ database, clock, url }: PortalOrigin, user: Pick<User, 'id'>): Promise<string> {
  const token = newToken()
  const link = { userId: user.id, kind: 'activation', tokenHash: hashToken(token) } as const
  await database.db.transaction((tx) => insertLink(tx, link, clock.now()))
  return `${url}/login?step=activate#token=${token}`
}
