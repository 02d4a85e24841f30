import { Workbox } from 'workbox-window'
import { after, within } from '../../domain/within.ts'
import { backoffMs } from '../backoff.ts'

const SERVER_TAKES_AT_MOST_MS = 15_000

let workbox: Workbox | undefined
let registration: ServiceWorkerRegistration | undefined
let onRegistered: (found: ServiceWorkerRegistration) => void = () => undefined

export function watchRegistrations(watch: (found: ServiceWorkerRegistration) => void): void {
  onRegistered = watch
}

/**
 * Registers the worker, with as many tries as it takes: on a first visit a bad connection easily loses one of its files, and the
 * worker with it. What has come stays in the browser's cache, so each try fetches less.
 */
export async function installWorker(): Promise<void> {
  for (let tries = 1; !(await isRegistered()); tries += 1) await after(backoffMs(tries))
}

async function isRegistered() {
  const found = await register().catch(() => undefined)
  if (found?.active || found?.waiting) return true
  // Without any it has failed already.
  return found?.installing ? isInstalled(found.installing) : false
}

/** Offline there is no worker to register on a first visit, and a kill switch takes it away: each check tries again. */
async function register() {
  workbox = new Workbox(workerUrl())
  const found = await workbox.register({ immediate: true })
  if (found && found !== registration) onRegistered(found)
  registration = found
  return found
}

/** Has the newest build fetched. Undefined when the server did not answer with a worker, or not with all of its files. */
export async function fetchNewBuild(): Promise<ServiceWorkerRegistration | undefined> {
  const watched = await askServer()
  const next = watched?.installing
  return next && !(await isInstalled(next)) ? undefined : watched
}

/** Undefined when the server is down or hangs, or something else answered in its place. */
async function askServer(): Promise<ServiceWorkerRegistration | undefined> {
  const asked = async () => {
    // A tab that is served by a kill switch must not bring it back.
    const watched = navigator.serviceWorker.controller && registration ? registration : await register()
    await watched?.update()
    return watched
  }
  return within(
    SERVER_TAKES_AT_MOST_MS,
    asked().catch(() => undefined),
  )
}

/** `false` when its files could not be fetched whole: the build in use stays, and the next check tries again. */
function isInstalled(worker: ServiceWorker): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = () => {
      if (worker.state === 'redundant') resolve(false)
      else if (worker.state !== 'installing' && worker.state !== 'parsed') resolve(true)
    }
    worker.addEventListener('statechange', settle)
    settle()
  })
}

/** Whether a newer build lies ready. */
export const hasWaiting = (): boolean => Boolean(registration?.waiting)

export const activateWaiting = (): void => workbox?.messageSkipWaiting()

/** Parts of the portal that a device keeps only when asked: the screens behind the login, and the reader of a counter that has none. */
type Part = 'screens' | 'barcode-reader'

/**
 * Has the worker fetch what is missing here of its files, also what the browser may have thrown away (offline 25), and keep this part
 * from now on. Whether all of it is here then. A kill switch takes the message as its word to go.
 */
export async function keepFiles(part?: Part): Promise<boolean> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  const worker = (await workers?.ready)?.active
  if (!worker) return false
  const { port1, port2 } = new MessageChannel()
  const kept = new Promise<boolean>((resolve) => {
    port1.onmessage = ({ data }) => resolve(data === true)
  })
  worker.postMessage({ type: 'KEEP', part }, [port2])
  return kept
}

/** While another worker waits nothing is asked: that one has a whole shell of its own. */
export function repairShell(): void {
  if (registration?.active && !registration.waiting) void keepFiles()
}

let policy: { createScriptURL: (input: string) => unknown } | undefined

/** Trusted Types: the CSP names this policy and no other, it may be made once, and what it is given decides nothing. */
function workerUrl(): string {
  policy ??= window.trustedTypes?.createPolicy('service-worker', { createScriptURL: workerPath }) ?? {
    createScriptURL: workerPath,
  }
  return policy.createScriptURL('') as string
}

const workerPath = () => '/sw.js'
