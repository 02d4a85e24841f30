import type { Secrets } from '../../server/secrets.ts'
import { accessTokens } from '../../server/services/accessTokens.ts'
import { holdId, SECRET, SECRET_HASH, serialOf, tillSession, tillUser } from './counter.ts'
import { rawRequest } from './rawRequest.ts'

export interface TillRequests {
  verify(till: number, n: number): string
  /** Of a voucher that is on hold at this till. */
  redeem(till: number, n: number): string
}

/** What tills with these numbers ask of the server at `url`; good for ten minutes. */
export async function tillRequests(url: string, secrets: Secrets, tills: number): Promise<TillRequests> {
  const tokens = await tokensFor(url, secrets, tills)
  const { host } = new URL(url)
  const post = (act: string, till: number, body: object, headers: Record<string, string> = {}) =>
    rawRequest({ host, method: 'POST', path: `/api/voucher/${act}`, token: tokens[till]!, body, headers })
  return {
    verify: (till, n) =>
      post('verify', till, {
        serial: serialOf(n),
        hold: { id: holdId(n), secret_hash: SECRET_HASH, till: tillUser(till) },
      }),
    redeem: (till, n) =>
      post('redeem', till, { serial: serialOf(n), secret: SECRET }, { 'Idempotency-Key': holdId(n) }),
  }
}

function tokensFor(publicUrl: string, secrets: Secrets, tills: number): Promise<string[]> {
  const settings = {
    publicUrl,
    sessionIdleMinutes: 15,
    posIdleMinutes: 240,
    providerEmail: 'provider@test.example',
    mfa: 'optional',
  } as const
  const { issue } = accessTokens({ clock: { now: () => new Date() }, secrets, settings })
  const tokenOf = (till: number) =>
    issue({ userId: tillUser(till), sessionId: tillSession(till), jti: tillSession(till) })
  return Promise.all(Array.from({ length: tills }, (_, till) => tokenOf(till)))
}
