import { v7 as newId } from 'uuid'
import type { Secrets } from '../../server/secrets.ts'
import { accessTokens } from '../../server/services/accessTokens.ts'
import { serialOf, tillSession, tillUser } from './counter.ts'
import { type HttpRate, keepAliveLoad } from './keepAliveLoad.ts'
import type { ServerProcess } from '../support/serverProcess.ts'

export interface ApiLoad {
  server: ServerProcess
  secrets: Secrets
  connections: number
  warmUpSeconds: number
  seconds: number
  vouchers: number
}

/** Redeems fresh vouchers through the API, each connection as its own till. */
export async function apiLoad({
  server,
  secrets,
  connections,
  warmUpSeconds,
  seconds,
  vouchers,
}: ApiLoad): Promise<HttpRate> {
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
  const tokens = await Promise.all(
    Array.from({ length: connections }, (_, till) =>
      issue({ userId: tillUser(till), sessionId: tillSession(till), jti: tillSession(till) }),
    ),
  )
  let next = 0
  const { host, port } = server
  const nextRequest = (connection: number) =>
    next < vouchers ? redeemRequest(host, tokens[connection] ?? '', next++) : undefined
  await keepAliveLoad({ host, port, connections, nextRequest, seconds: warmUpSeconds })
  const rate = await keepAliveLoad({ host, port, connections, nextRequest, seconds })
  if (Object.keys(rate.refused).length > 0) throw new Error(`the API refused: ${JSON.stringify(rate.refused)}`)
  return rate
}

function redeemRequest(host: string, token: string, n: number): string {
  const body = JSON.stringify({ serial: serialOf(n) })
  return [
    'POST /api/voucher/redeem HTTP/1.1',
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
    `Idempotency-Key: ${newId()}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}
