// The worker of a build with the outage drill (DRILL=on). It is the normal worker, but its calls to the server go through the drill.

import '../index.ts'
import { registerRoute } from 'workbox-routing'
import { DrillDatabase, currentDrill, type DrillScenario } from '../../src/offline/store/drill.ts'

declare const self: ServiceWorkerGlobalScope

const BACKEND = /^\/(api|reporting|files)\//

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** Sends every call to the server through the drill from now on, also those of the worker's own routes. */
function sendCallsThroughDrill(): void {
  const reachServer = self.fetch.bind(self)
  self.fetch = async (input, init) => {
    const request = new Request(input, init)
    return isCall(new URL(request.url)) ? fetchUnderDrill(request, reachServer) : reachServer(request)
  }
  for (const method of METHODS) {
    registerRoute(
      ({ url }) => isCall(url),
      ({ request }) => self.fetch(request),
      method,
    )
  }
}

const isCall = ({ pathname }: URL) => BACKEND.test(pathname)

const database = new DrillDatabase()

async function fetchUnderDrill(request: Request, reachServer: typeof fetch): Promise<Response> {
  const drill = await currentDrill(database).catch(() => undefined)
  return answerIn(drill?.scenario, request, () => reachServer(request).catch(() => Response.error()))
}

/** The delay of a weak mobile connection. */
const SLOW_BY_MS = 4_000

const LOGIN_PAGE = '<!doctype html><title>Free Wi-Fi</title><h1>Accept the terms to go on</h1>'

/** Answers one call as the scenario demands. A call without an answer ends like the browser's own network error. */
async function answerIn(scenario: DrillScenario | undefined, request: Request, reach: () => Promise<Response>) {
  switch (scenario) {
    case 'offline':
      return Response.error()
    case 'captive':
      return new Response(LOGIN_PAGE, {
        headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
      })
    case 'slow':
      await new Promise((resolve) => setTimeout(resolve, SLOW_BY_MS))
      return reach()
    case 'lostAnswer':
      return changesSomething(request) && isLost(request) ? loseAnswer(reach) : reach()
    case undefined:
      return reach()
  }
}

/** Reads the answer to its last byte, so that the server has done the work and believes that the answer arrived. */
async function loseAnswer(reach: () => Promise<Response>): Promise<Response> {
  await (await reach()).arrayBuffer().catch(() => undefined)
  return Response.error()
}

/** Reads that use POST because of their body, and calls that begin or end a session. To lose their answers would show nothing. */
const READS = /\/(datatable|export|preview|pos_list|get|download_log|refresh|logout)$|\/(auth|captcha)\/|^\/reporting\//

const changesSomething = ({ method, url }: Request) => method !== 'GET' && !READS.test(new URL(url).pathname)

const callCounts = new Map<string, number>()

/** True for every second call, from the first on: its repetition is answered, which shows that nothing happened twice. */
function isLost({ method, url }: Request): boolean {
  const call = `${method} ${url}`
  const count = callCounts.get(call) ?? 0
  callCounts.set(call, count + 1)
  return count % 2 === 0
}

// Comes last, because the first matching route wins.
sendCallsThroughDrill()
