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
 * Registers the worker, and tries until that succeeds: on a bad connection one missing file makes a first installation fail. Fetched
 * files stay in the browser's cache, so each try fetches fewer.
 */
export async function installWorker(): Promise<void> {
  for (let tries = 1; !(await tryToRegister()); tries += 1) await after(backoffMs(tries))
}

async function tryToRegister() {
  const found = await register().catch(() => undefined)
  if (found?.active || found?.waiting) return true
  return found?.installing ? waitForInstallation(found.installing) : false
}

/** Registers the worker. A check for an update may do this again, because a kill switch, or a failed first visit, leaves no worker. */
async function register() {
  workbox = new Workbox(workerUrl())
  const found = await workbox.register({ immediate: true })
  if (found && found !== registration) onRegistered(found)
  registration = found
  return found
}

/** Makes the browser fetch the newest build. Resolves to undefined if the worker or one of its files did not come. */
export async function fetchNewBuild(): Promise<ServiceWorkerRegistration | undefined> {
  const watched = await askServer()
  const next = watched?.installing
  return next && !(await waitForInstallation(next)) ? undefined : watched
}

/** Asks the server for a newer worker. Resolves to undefined if the server does not answer, or something else answers for it. */
async function askServer(): Promise<ServiceWorkerRegistration | undefined> {
  const fetchUpdate = async () => {
    // A tab under a kill switch must not register the worker again.
    const watched = navigator.serviceWorker.controller && registration ? registration : await register()
    await watched?.update()
    return watched
  }
  return within(
    SERVER_TAKES_AT_MOST_MS,
    fetchUpdate().catch(() => undefined),
  )
}

/** Resolves to false if a file of the worker could not be fetched. The build in use then stays, and the next check tries again. */
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
 * Parts of the portal that a device stores only on request: the screens behind the login, and a barcode reader for counters whose
 * browser has none.
 */
type Part = 'screens' | 'barcode-reader'

/**
 * Makes the worker fetch missing files, also those that the browser has deleted (offline 25), and store `part` from now on. Resolves
 * to true if all files are then on this device. A kill-switch worker removes itself when it gets this message.
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

/** Fetches missing files. Not while a newer worker waits, because that worker already has all its files. */
export function repairShell(): void {
  if (registration?.active && !registration.waiting) void cacheFiles()
}

let policy: { createScriptURL: (input: string) => unknown } | undefined

/** Returns the worker's address as a trusted URL. The CSP allows only this policy. It may be created once, and ignores its input. */
function workerUrl(): string {
  policy ??= window.trustedTypes?.createPolicy('service-worker', { createScriptURL: workerPath }) ?? {
    createScriptURL: workerPath,
  }
  return policy.createScriptURL('') as string
}

const workerPath = () => '/sw.js'
