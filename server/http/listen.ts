import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import type { PortalEnv } from './PortalEnv.ts'

/**
 * Limits of the HTTP server. Node's own limits are five minutes for a request, checked every half minute: a thousand clients that send a byte now
 * and then would keep a thousand connections (FLT-10). A body of JSON has even less time (`readJsonBody`).
 */
const LIMITS = {
  headersTimeout: 10_000,
  /** The time for a whole request: a large file over a slow connection. */
  requestTimeout: 120_000,
  connectionsCheckingInterval: 1_000,
  /**
   * How long an idle connection is kept. Longer than the minute of most proxies, so that they close it first: a request is lost if the server closes
   * its connection at that moment. Also, a counter that redeems once a minute keeps its connection for a sudden rush.
   */
  keepAliveTimeout: 65_000,
}

/**
 * New connections that may wait to be accepted; Linux allows 4,096 since 5.4. With Node's 511, most tills that returned in one second found no
 * room, and the system tried again after one, three and seven seconds: by then the tills had given up.
 */
const BACKLOG = 4_096

/** Starts listening. Rejects with Node's error when the port is not available. */
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
 * How long new requests are held back before listening ends. A client that sends one request after another then has a request waiting here, so its
 * connection is not closed as idle. No new connection is left waiting, which the system would reset.
 */
const GATHERING_MS = 500

/** Wraps `answer`, and returns a function that ends the listening of its server. */
export function drainable<Asked extends unknown[], Answer>(answer: (...asked: Asked) => Answer | Promise<Answer>) {
  let gathered: Promise<void> | undefined
  return {
    answer: (...asked: Asked): Answer | Promise<Answer> =>
      gathered ? gathered.then(() => answer(...asked)) : answer(...asked),
    /**
     * Answers all received requests, and takes no new connection. Resolves when the last one has ended; connections left after `longestMs` are
     * closed. Every answer must close its connection by then (`closeWhenStopping`): a client that keeps sending would delay the end, and would be cut
     * off in the middle of an answer.
     */
    async endListening(server: Server, longestMs: number): Promise<void> {
      let closed: Promise<unknown> | undefined
      gathered = sleep(GATHERING_MS).then(() => {
        // `close` ends idle connections as well.
        closed = new Promise((resolve) => server.close(resolve))
      })
      await gathered
      const late = setTimeout(() => server.closeAllConnections(), longestMs)
      await closed
      clearTimeout(late)
    },
  }
}
