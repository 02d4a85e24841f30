// The worker of a build with the outage drill (DRILL=on): the normal worker, whose calls to the server go through the drill.

import '../index.ts'
import { registerRoute } from 'workbox-routing'
import { DrillDatabase, currentDrill, type DrillScenario } from '../../src/offline/store/drill.ts'

declare const self: ServiceWorkerGlobalScope

const BACKEND = /^\/(api|reporting|files)\//

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** Sends every call to the server through the drill from now on, also those of the worker's own routes. */
function putCallsUnderDrill(): void {
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

/** Simulates a weak mobile connection: a call of a tenth of a second takes four seconds or more. */
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

/** Reads that use POST because of their body, and the ways into and out of a session: losing these would show nothing. */
const READS = /\/(datatable|export|preview|pos_list|get|download_log|refresh|logout)$|\/(auth|captcha)\/|^\/reporting\//

const changesSomething = ({ method, url }: Request) => method !== 'GET' && !READS.test(new URL(url).pathname)

const asked = new Map<string, number>()

/** Loses every other call: the repeated one is answered, which shows that nothing happened twice. */
function isLost({ method, url }: Request): boolean {
  const call = `${method} ${url}`
  const before = asked.get(call) ?? 0
  asked.set(call, before + 1)
  return before % 2 === 0
}

// Comes last, because the first matching route wins.
putCallsUnderDrill()
