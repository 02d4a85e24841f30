import type { Secrets } from '../../server/secrets/secrets.ts'
import { holdId, SECRET, SECRET_HASH, serialOf, tillSession, tillUser } from './load/counterSql.ts'
import { rawRequest } from './rawRequest.ts'
import { tokenIssuer } from './tokenIssuer.ts'

export interface TillRequests {
  verify(till: number, n: number): string
  /** Of a voucher that is on hold at this till. */
  redeem(till: number, n: number): string
}

/** What tills with these numbers ask of the server at `url`; good for ten minutes. */
export async function tillRequests(url: string, secrets: Secrets, tills: number): Promise<TillRequests> {
  const issue = tokenIssuer(url, secrets)
  const tokens = await Promise.all(Array.from({ length: tills }, (_, till) => issue(tillUser(till), tillSession(till))))
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
