import type { Server } from 'node:http'
import type { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Log } from '../log.ts'
import { moreListeners } from './moreListeners.ts'
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
}

/**
 * New connections that may wait to be taken; Linux allows 4,096 since 5.4. With Node's 511, most of a town that comes back in one
 * second found no room, and asked the system again after one, three and seven seconds: by then their tills had given up.
 */
const BACKLOG = 4_096

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
  const server = createAdaptorServer({ fetch, hostname: host, serverOptions: LIMITS }) as Server
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ port, host, backlog: BACKLOG }, resolve)
  })
  // Where no process can be started, the server works, but takes a rush of new clients more slowly.
  const more = moreListeners(server, BACKLOG).catch(({ message }: Error): NetServer[] => {
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

/**
 * How long new requests are held back before the listening ends. A client that asks one thing after the other has one waiting with us
 * by then, so its connection is not taken for idle and cut.
 */
const GATHERING_MS = 500

/** A server on which no turn is quiet stops after this all the same. */
const LOUDEST_MS = 1_000

/** `answer`, and how to end the listening of a server that answers with it. */
export function drainable<Asked extends unknown[], Answer>(answer: (...asked: Asked) => Answer | Promise<Answer>) {
  let listeningEnded: Promise<void> | undefined
  return {
    answer: (...asked: Asked): Answer | Promise<Answer> =>
      listeningEnded ? listeningEnded.then(() => answer(...asked)) : answer(...asked),
    /**
     * Answers what has reached us, and takes no new connection. Resolves when the last one has ended; those that are left
     * after `longestMs` are cut. Every answer must close its connection by then (`closeWhenStopping`): a client that went on
     * asking on it would keep us until it is cut in the middle of an answer.
     */
    async endListening({ server, end }: Listening, longestMs: number): Promise<void> {
      let goOn = () => undefined as void
      listeningEnded = new Promise((resolve) => (goOn = resolve))
      await sleep(GATHERING_MS)
      await quietTurn(server)
      // Ends idle connections as well.
      const closed = end()
      goOn()
      const late = setTimeout(() => server.closeAllConnections(), longestMs)
      await closed
      clearTimeout(late)
    },
  }
}

/**
 * Waits for a turn of the event loop that brings no connection and no request: what the system still holds when the listening ends is
 * reset. New requests are held back meanwhile, for their work would make each turn long enough for more to arrive.
 */
async function quietTurn(server: Server): Promise<void> {
  let arrived = 0
  const count = () => void (arrived += 1)
  server.on('connection', count).on('request', count)
  const deadline = performance.now() + LOUDEST_MS
  // We are in the middle of a turn: the next is the first whole one.
  await nextTurn()
  let before: number
  do {
    before = arrived
    await nextTurn()
  } while (arrived !== before && performance.now() < deadline)
  server.off('connection', count).off('request', count)
}
