import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import type { Hono } from 'hono'
import type { PortalEnv } from './PortalEnv.ts'

/**
 * Node's own limits are made for any server: five minutes for a request, and a look every half minute. A thousand clients that send
 * a byte now and then would keep a thousand connections (cases FLT-10). A body of JSON has less time yet (`readJsonBody`).
 */
const LIMITS = {
  headersTimeout: 10_000,
  /** The whole request: a large file over a slow line. */
  requestTimeout: 120_000,
  connectionsCheckingInterval: 1_000,
}

/** Rejects with Node's error when the port cannot be had. */
export function listen(
  fetch: Hono<PortalEnv>['fetch'],
  { port, host }: { port: number; host: string },
): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, port, hostname: host, serverOptions: LIMITS }, () => resolve(server)) as Server
    server.once('error', reject)
  })
}
