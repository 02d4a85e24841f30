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
 * Registers the worker, with as many tries as needed: on a bad connection one lost file makes a first installation fail. Files
 * that have come stay in the browser's cache, so each try fetches less.
 */
export async function installWorker(): Promise<void> {
  for (let tries = 1; !(await tryToRegister()); tries += 1) await after(backoffMs(tries))
}

async function tryToRegister() {
  const found = await register().catch(() => undefined)
  if (found?.active || found?.waiting) return true
  // Without any worker this try has failed.
  return found?.installing ? waitForInstallation(found.installing) : false
}

/** Registers the worker. Each check for an update does this again: a first visit offline has no worker, and a kill switch removes it. */
async function register() {
  workbox = new Workbox(workerUrl())
  const found = await workbox.register({ immediate: true })
  if (found && found !== registration) onRegistered(found)
  registration = found
  return found
}

/** Makes the browser fetch the newest build. Undefined if the server sent no worker, or not all of its files. */
export async function fetchNewBuild(): Promise<ServiceWorkerRegistration | undefined> {
  const watched = await askServer()
  const next = watched?.installing
  return next && !(await waitForInstallation(next)) ? undefined : watched
}

/** Asks the server for a newer worker. Undefined when the server is down or hangs, or something else answered in its place. */
async function askServer(): Promise<ServiceWorkerRegistration | undefined> {
  const fetchUpdate = async () => {
    // A tab that a kill switch serves must not register the worker again.
    const watched = navigator.serviceWorker.controller && registration ? registration : await register()
    await watched?.update()
    return watched
  }
  return within(
    SERVER_TAKES_AT_MOST_MS,
    fetchUpdate().catch(() => undefined),
  )
}

/** Resolves to `false` if some of the worker's files could not be fetched: the build in use stays, and the next check tries again. */
function waitForInstallation(worker: ServiceWorker): Promise<boolean> {
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
 * Makes the worker fetch its missing files, also those that the browser has deleted (offline 25), and keep `part` from now on.
 * Resolves to true if all files are then on this device. A kill-switch worker takes the message as the order to remove itself.
 */
export async function cacheFiles(part?: Part): Promise<boolean> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  const worker = (await workers?.ready)?.active
  if (!worker) return false
  const { port1, port2 } = new MessageChannel()
  const isComplete = new Promise<boolean>((resolve) => {
    port1.onmessage = ({ data }) => resolve(data === true)
  })
  worker.postMessage({ type: 'KEEP', part }, [port2])
  return isComplete
}

/** Fetches missing files, unless a newer worker waits, which already has all its files. */
export function repairShell(): void {
  if (registration?.active && !registration.waiting) void cacheFiles()
}

let policy: { createScriptURL: (input: string) => unknown } | undefined

/** Returns the worker's address as a trusted URL. The CSP allows only this policy, which may be created once and ignores its input. */
function workerUrl(): string {
  policy ??= window.trustedTypes?.createPolicy('service-worker', { createScriptURL: workerPath }) ?? {
    createScriptURL: workerPath,
  }
  return policy.createScriptURL('') as string
}

const workerPath = () => '/sw.js'
