// The worker of a build with the outage drill (DRILL=on): the very worker, with its calls to the server put under the drill.

import '../index.ts'
import { registerRoute } from 'workbox-routing'
import type { DrillFault, DrillScenario } from '../../src/domain/devices/drill.ts'
import {
  DrillDatabase,
  drillNow,
  lastDrillRun,
  noteDrillEvent,
  simulateDeviceFault,
} from '../../src/offline/store/drill.ts'

declare const self: ServiceWorkerGlobalScope

const BACKEND = /^\/(api|reporting|files)\//

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** From now on every call to the server, those of the worker's own routes too, goes as the drill lets it. */
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
  const run = await lastDrillRun(database).catch(() => undefined)
  const scenario = run && run.endedAt === undefined ? run.scenario : undefined
  simulateDeviceFault(scenario)
  const began = drillNow()
  const { response, fault } = await applyScenario(scenario, request, reachServer)
  const call = { kind: 'call', method: request.method, path: new URL(request.url).pathname, fault } as const
  const status = response.type === 'error' ? {} : { status: response.status }
  // Nobody waits for the notebook.
  void noteDrillEvent(database, { ...call, ...status, tookMs: drillNow() - began }).catch(() => undefined)
  return response
}

/** A weak mobile connection: what takes a tenth of a second takes four seconds and more. */
const SLOW_BY_MS = 4_000

const SIGN_IN_PAGE = '<!doctype html><title>Free Wi-Fi</title><h1>Accept the terms to go on</h1>'

const TROUBLE_PAGE = '<!doctype html><title>500</title><h1>Internal Server Error</h1>'

interface Carried {
  response: Response
  fault: DrillFault
}

/** One call as the scenario lets it go. A call that gets no answer ends as the browser's own network error does. */
function applyScenario(
  scenario: DrillScenario | undefined,
  request: Request,
  reachServer: typeof fetch,
): Promise<Carried> {
  const reach = () => reachServer(request).catch(() => Response.error())
  switch (scenario) {
    case 'offline':
      return replaced('cut', Response.error())
    case 'captive':
      return replaced('replaced', page(SIGN_IN_PAGE, 200))
    case 'errors':
      return replaced('replaced', page(TROUBLE_PAGE, 500))
    case 'slow':
      return after(SLOW_BY_MS, reach)
    case 'lostAnswer':
      return changesSomething(request) && isLost(request) ? loseAnswer(reach) : unspoilt(reach)
    default:
      return unspoilt(reach)
  }
}

const replaced = async (fault: DrillFault, response: Response): Promise<Carried> => ({ response, fault })

const page = (html: string, status: number) =>
  new Response(html, { status, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } })

const unspoilt = async (reach: () => Promise<Response>): Promise<Carried> => ({
  response: await reach(),
  fault: 'none',
})

async function after(ms: number, reach: () => Promise<Response>): Promise<Carried> {
  await new Promise((resolve) => setTimeout(resolve, ms))
  return { response: await reach(), fault: 'delayed' }
}

/** To its last byte, so that the server has done it and believes it told. */
async function loseAnswer(reach: () => Promise<Response>): Promise<Carried> {
  const answer = await reach()
  await answer.arrayBuffer().catch(() => undefined)
  return { response: Response.error(), fault: 'answerLost' }
}

/** Reads that are POST because of what they carry, and the ways into and out of a session: with these lost, nothing is seen. */
const READS = /\/(datatable|export|preview|pos_list|get|download_log|refresh|logout)$|\/(auth|captcha)\/|^\/reporting\//

const changesSomething = ({ method, url }: Request) => method !== 'GET' && !READS.test(new URL(url).pathname)

const asked = new Map<string, number>()

/** Every other one: whoever asks again is answered, and it can be seen that nothing happened twice. */
function isLost({ method, url }: Request): boolean {
  const call = `${method} ${url}`
  const before = asked.get(call) ?? 0
  asked.set(call, before + 1)
  return before % 2 === 0
}

// Last, for the first route that matches wins.
putCallsUnderDrill()
