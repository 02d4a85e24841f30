import { registerRoute } from 'workbox-routing'
import { DrillDatabase, drillNow, lastDrillRun, noteDrillEvent } from '../../src/offline/store/drill.ts'
import { simulateDeviceFault } from '../../src/offline/store/spoilDevice.ts'
import { applyScenario } from './carryOut.ts'

declare const self: ServiceWorkerGlobalScope

const BACKEND = /^\/(api|reporting|files)\//
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** From now on every call to the server, those of the worker's own routes too, goes as the drill lets it. */
export function putCallsUnderDrill(): void {
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
