import type { Secrets } from '../../server/secrets.ts'
import { accessTokens } from '../../server/services/accessTokens.ts'
import type { ServerProcess } from '../support/serverProcess.ts'
import { holdId, SECRET, SECRET_HASH, serialOf, tillSession, tillUser } from './counter.ts'
import { type HttpRate, keepAliveLoad } from './keepAliveLoad.ts'

export interface ApiLoad {
  server: ServerProcess
  secrets: Secrets
  connections: number
  warmUpSeconds: number
  seconds: number
  vouchers: number
  /** Check each voucher first; else all are on hold already, voucher `n` at till `n` modulo `connections`. */
  verify: boolean
}

/** Vouchers per second through the API, each connection as its own till. With `verify` a voucher takes two requests. */
export async function apiLoad({
  server,
  secrets,
  connections,
  warmUpSeconds,
  seconds,
  vouchers,
  verify,
}: ApiLoad): Promise<HttpRate> {
  const tokens = await tokensFor(server, secrets, connections)
  const next = Array.from({ length: connections }, (_, till) => till)
  const checked = new Set<number>()
  const { host, port } = server
  const nextRequest = (till: number) => {
    const n = next[till]!
    if (n >= vouchers) return undefined
    if (verify && !checked.has(n)) {
      checked.add(n)
      return request(host, 'verify', tokens[till]!, holdId(n), verifyBody(till, n))
    }
    next[till] = n + connections
    return request(host, 'redeem', tokens[till]!, holdId(n), { serial: serialOf(n), secret: SECRET })
  }
  await keepAliveLoad({ host, port, connections, nextRequest, seconds: warmUpSeconds })
  const rate = await keepAliveLoad({ host, port, connections, nextRequest, seconds })
  if (Object.keys(rate.refused).length > 0) throw new Error(`the API refused: ${JSON.stringify(rate.refused)}`)
  return verify ? { ...rate, perSecond: rate.perSecond / 2 } : rate
}

const verifyBody = (till: number, n: number) => ({
  serial: serialOf(n),
  hold: { id: holdId(n), secret_hash: SECRET_HASH, till: tillUser(till) },
})

function tokensFor(server: ServerProcess, secrets: Secrets, tills: number): Promise<string[]> {
  const { issue } = accessTokens({
    clock: { now: () => new Date() },
    secrets,
    settings: {
      publicUrl: server.url,
      sessionIdleMinutes: 15,
      posIdleMinutes: 240,
      providerEmail: 'provider@test.example',
      mfa: 'optional',
    },
  })
  const tokenOf = (till: number) =>
    issue({ userId: tillUser(till), sessionId: tillSession(till), jti: tillSession(till) })
  return Promise.all(Array.from({ length: tills }, (_, till) => tokenOf(till)))
}

function request(host: string, act: 'verify' | 'redeem', token: string, key: string, asked: object): string {
  const body = JSON.stringify(asked)
  return [
    `POST /api/voucher/${act} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
    ...(act === 'redeem' ? [`Idempotency-Key: ${key}`] : []),
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}
