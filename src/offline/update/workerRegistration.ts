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
 * Registers the worker, with as many tries as needed: on a first visit a bad connection easily loses one of its files, and the
 * worker with it. Files that have come stay in the browser's cache, so each try fetches less.
 */
export async function installWorker(): Promise<void> {
  for (let tries = 1; !(await isRegistered()); tries += 1) await after(backoffMs(tries))
}

async function isRegistered() {
  const found = await register().catch(() => undefined)
  if (found?.active || found?.waiting) return true
  // Without any worker it has failed already.
  return found?.installing ? isInstalled(found.installing) : false
}

/** Registers the worker. Each check tries it again: a first visit offline has no worker, and a kill switch removes it. */
async function register() {
  workbox = new Workbox(workerUrl())
  const found = await workbox.register({ immediate: true })
  if (found && found !== registration) onRegistered(found)
  registration = found
  return found
}

/** Makes the browser fetch the newest build. Undefined if the server did not answer with a worker, or not with all of its files. */
export async function fetchNewBuild(): Promise<ServiceWorkerRegistration | undefined> {
  const watched = await askServer()
  const next = watched?.installing
  return next && !(await isInstalled(next)) ? undefined : watched
}

/** Undefined when the server is down or hangs, or something else answered in its place. */
async function askServer(): Promise<ServiceWorkerRegistration | undefined> {
  const asked = async () => {
    // A tab that a kill switch serves must not register the worker again.
    const watched = navigator.serviceWorker.controller && registration ? registration : await register()
    await watched?.update()
    return watched
  }
  return within(
    SERVER_TAKES_AT_MOST_MS,
    asked().catch(() => undefined),
  )
}

/** Resolves to `false` when its files could not be fetched whole: the build in use stays, and the next check tries again. */
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

/** True if a newer build is ready. */
export const hasWaitingWorker = (): boolean => Boolean(registration?.waiting)

export const activateWaitingWorker = (): void => workbox?.messageSkipWaiting()

/**
 * Parts of the portal that a device stores only when asked: the screens behind the login, and a barcode reader for a counter whose
 * browser has none.
 */
type Part = 'screens' | 'barcode-reader'

/**
 * Makes the worker fetch its missing files, also those that the browser has thrown away (offline 25), and keep this part from now
 * on. Resolves to true if all of them are here then. A kill switch takes the message as its order to go.
 */
export async function cacheFiles(part?: Part): Promise<boolean> {
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

/** Fetches missing files, unless another worker waits: that one has a whole shell of its own. */
export function repairShell(): void {
  if (registration?.active && !registration.waiting) void cacheFiles()
}

let policy: { createScriptURL: (input: string) => unknown } | undefined

/** Returns the worker's address through Trusted Types. The CSP names only this policy, it may be created once, and it ignores its input. */
function workerUrl(): string {
  policy ??= window.trustedTypes?.createPolicy('service-worker', { createScriptURL: workerPath }) ?? {
    createScriptURL: workerPath,
  }
  return policy.createScriptURL('') as string
}

const workerPath = () => '/sw.js'
