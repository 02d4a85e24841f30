import type { Server } from 'node:http'
import type { Server as NetServer } from 'node:net'
import { serve } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Log } from '../log.ts'
import { moreListeners } from './moreListeners.ts'
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

export interface Listening {
  /** Every connection and request, whichever listener took it. */
  server: Server
  /** The listeners beside its own, which begin a moment later. */
  more: Promise<unknown[]>
  /** Takes no new connection and ends the idle ones; resolves when the last one has ended. */
  end(): Promise<void>
}

/** Rejects with Node's error when the port cannot be had. */
export async function listen(
  fetch: Hono<PortalEnv>['fetch'],
  { port, host }: { port: number; host: string },
  log: Log,
): Promise<Listening> {
  const server = await new Promise<Server>((resolve, reject) => {
    const listening = serve({ fetch, port, hostname: host, serverOptions: LIMITS }, () => resolve(listening)) as Server
    listening.once('error', reject)
  })
  // Where no process can be started, the server is slower to take a rush of new clients, and works.
  const more = moreListeners(server).catch(({ message }: Error): NetServer[] => {
    log.warn('no_more_listeners', { message })
    return []
  })
  const end = async () => {
    const first = closed(server)
    await Promise.all([first, ...(await more).map(closed)])
  }
  return { server, more, end }
}

const closed = (server: NetServer) => new Promise((resolve) => server.close(resolve))
