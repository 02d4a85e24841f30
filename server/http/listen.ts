import type { Server } from 'node:http'
import type { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Log } from '../log.ts'
import { moreListeners } from './moreListeners.ts'
import type { PortalEnv } from './PortalEnv.ts'

/**
 * Node's own limits are made for any server: five minutes for a request, and a look every half minute. A thousand clients that send
 * a byte now and then would keep a thousand connections (FLT-10). A body of JSON has less time yet (`readJsonBody`).
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

/** Who asks one thing after the other on a connection waits after this with us, and is not cut off as idle while it asks. */
const GATHERING_MS = 500

/** A server that is never quiet stops all the same. */
const LOUDEST_MS = 1_000

/** `answer`, and how to end the listening of a server that answers with it. */
export function drainable<Asked extends unknown[], Answer>(answer: (...asked: Asked) => Answer | Promise<Answer>) {
  let listeningEnded: Promise<void> | undefined
  return {
    answer: (...asked: Asked): Answer | Promise<Answer> =>
      listeningEnded ? listeningEnded.then(() => answer(...asked)) : answer(...asked),
    /**
     * Answers what has reached us, and takes no new connection. Resolves when the last one has ended; those that are left
     * after `longestMs` are cut. Every answer must close its connection by then (`http/lastAnswers.ts`): a client that went on
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
 * A turn of the event loop that brought no connection and no request: what still lies with the system when the listening ends is
 * reset. New requests wait meanwhile: their work would make each turn long enough for more.
 */
async function quietTurn(server: Server): Promise<void> {
  let arrived = 0
  const count = () => void (arrived += 1)
  server.on('connection', count).on('request', count)
  const deadline = performance.now() + LOUDEST_MS
  // The signal came in the middle of one.
  await nextTurn()
  let before: number
  do {
    before = arrived
    await nextTurn()
  } while (arrived !== before && performance.now() < deadline)
  server.off('connection', count).off('request', count)
}
