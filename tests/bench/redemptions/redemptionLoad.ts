import type { Secrets } from '../../../server/secrets/secrets.ts'
import type { ServerProcess } from '../../support/server/serverProcess.ts'
import { type HttpRate, keepAliveLoad } from '../load/keepAliveLoad.ts'
import { tillRequests } from '../tillRequests.ts'

export interface ApiLoad {
  server: Pick<ServerProcess, 'host' | 'port' | 'url'>
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
  server: { host, port, url },
  secrets,
  connections,
  warmUpSeconds,
  seconds,
  vouchers,
  verify,
}: ApiLoad): Promise<HttpRate> {
  const requests = await tillRequests(url, secrets, connections)
  const next = Array.from({ length: connections }, (_, till) => till)
  const checked = new Set<number>()
  const nextRequest = (till: number) => {
    const n = next[till]!
    if (n >= vouchers) return undefined
    if (verify && !checked.has(n)) {
      checked.add(n)
      return requests.verify(till, n)
    }
    next[till] = n + connections
    return requests.redeem(till, n)
  }
  await keepAliveLoad({ host, port, connections, nextRequest, seconds: warmUpSeconds })
  const rate = await keepAliveLoad({ host, port, connections, nextRequest, seconds })
  if (Object.keys(rate.refused).length > 0) throw new Error(`the API refused: ${JSON.stringify(rate.refused)}`)
  return verify ? { ...rate, perSecond: rate.perSecond / 2 } : rate
}
