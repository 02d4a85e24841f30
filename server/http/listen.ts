import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import type { PortalEnv } from './PortalEnv.ts'

/**
 * Node's own limits are five minutes for a request, looked at every half minute. A thousand clients that send a byte now and then
 * would keep a thousand connections (FLT-10). A body of JSON has even less time (`readJsonBody`).
 */
const LIMITS = {
  headersTimeout: 10_000,
  /** The whole request: a large file over a slow connection. */
  requestTimeout: 120_000,
  connectionsCheckingInterval: 1_000,
  /**
   * Of an idle connection. Longer than the minute of most proxies, so that it is they who close it: a request that meets a connection
   * which is just being closed is lost. And a counter that redeems once a minute has its connection when a rush of others comes.
   */
  keepAliveTimeout: 65_000,
}

/**
 * New connections that may wait to be taken; Linux allows 4,096 since 5.4. With Node's 511, most of a town that comes back in one
 * second found no room, and asked the system again after one, three and seven seconds: by then their tills had given up.
 */
const BACKLOG = 4_096

/** Rejects with Node's error when the port cannot be had. */
export async function listen(
  fetch: Hono<PortalEnv>['fetch'],
  { port, host }: { port: number; host: string },
): Promise<Server> {
  const server = createAdaptorServer({ fetch, hostname: host, serverOptions: LIMITS }) as Server
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ port, host, backlog: BACKLOG }, resolve)
  })
  return server
}

/**
 * How long new requests are held back before the listening ends. A client that asks one thing after the other has one waiting with us
 * by then: its connection is not taken for idle and cut, and none waits to be taken, which the system would reset.
 */
const GATHERING_MS = 500

/** `answer`, and how to end the listening of a server that answers with it. */
export function drainable<Asked extends unknown[], Answer>(answer: (...asked: Asked) => Answer | Promise<Answer>) {
  let gathered: Promise<void> | undefined
  return {
    answer: (...asked: Asked): Answer | Promise<Answer> =>
      gathered ? gathered.then(() => answer(...asked)) : answer(...asked),
    /**
     * Answers what has reached us, and takes no new connection. Resolves when the last one has ended; those that are left
     * after `longestMs` are cut. Every answer must close its connection by then (`closeWhenStopping`): a client that went on
     * asking on it would keep us until it is cut in the middle of an answer.
     */
    async endListening(server: Server, longestMs: number): Promise<void> {
      let closed: Promise<unknown> | undefined
      gathered = sleep(GATHERING_MS).then(() => {
        // Ends idle connections as well.
        closed = new Promise((resolve) => server.close(resolve))
      })
      await gathered
      const late = setTimeout(() => server.closeAllConnections(), longestMs)
      await closed
      clearTimeout(late)
    },
  }
}
