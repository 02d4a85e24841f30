import { spawn } from 'node:child_process'
import type { Server } from 'node:http'
import { createServer, type Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Log } from '../log.ts'
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

/** With the one that is there. More take no more, and who has a connection already waits longer. */
const LISTENERS = 16
/** Far longer than it takes. */
const ECHO_TAKES_AT_MOST_MS = 10_000
/** A program that sends back each handle it is sent, and ends when we disconnect. */
const ECHO = "process.on('message', (nth, handle) => process.send(nth, handle)).on('disconnect', () => process.exit())"

/**
 * Since libuv 1.45 a listener takes one new connection in each turn of the event loop. Under load a turn is long, and a rush of new
 * clients waited until they gave up. These further listeners wait at the same socket, each with a descriptor of its own, and take one
 * more each turn (decision 0042, also on why not Node's `reusePort`). Their connections go to `server`. `backlog` is said again, for
 * whoever listens last sets it for the socket.
 * @throws Error when the process that gives the descriptors does not start.
 */
async function moreListeners(server: NetServer, backlog: number): Promise<NetServer[]> {
  const handles = await duplicates(server, LISTENERS - 1)
  const listeners = handles.map((handle) =>
    createServer((socket) => void server.emit('connection', socket)).listen(handle, backlog),
  )
  for (const listener of listeners) listener.on('error', (error) => void server.emit('error', error))
  return listeners
}

/**
 * Node cannot duplicate a descriptor, but one that went to another process and back is a duplicate. It is sent as a bare handle: if
 * it were sent as a server, the other process would listen too, and take connections that nobody answers.
 */
async function duplicates(server: NetServer, count: number): Promise<object[]> {
  const { _handle: handle } = server as NetServer & { _handle: NetServer }
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const
  const echo = spawn(process.execPath, ['-e', ECHO], { stdio: [...stdio], env: {}, timeout: ECHO_TAKES_AT_MOST_MS })
  try {
    return await new Promise<object[]>((resolve, reject) => {
      const received: object[] = []
      echo.once('error', reject).once('exit', (code) => reject(new Error(`no further listeners: exit code ${code}`)))
      echo.on('message', (_, back) => {
        if (received.push(back as object) === count) resolve(received)
      })
      for (let nth = 1; nth <= count; nth += 1) echo.send(nth, handle)
    })
  } finally {
    if (echo.connected) echo.disconnect()
  }
}

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
