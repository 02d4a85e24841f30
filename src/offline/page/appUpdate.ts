import { proxy } from 'valtio/vanilla'
import { workerUrl } from './workerUrl.ts'

/** What a look for a newer build found. A build that could not be fetched whole counts as not reached. */
export type UpdateCheck = 'current' | 'available' | 'unreachable'

/**
 * The update prompt's states; every one of them ends. `available` waits for a person, `snoozed` for an hour,
 * `applying` reloads within RELOAD_AT_LATEST_MS. `lastCheckedAt`: when the server last answered a look for a newer build, in
 * milliseconds of this device's clock.
 */
export const appUpdate = proxy<{
  phase: 'none' | 'available' | 'snoozed' | 'applying'
  lastCheckedAt: number | undefined
}>({ phase: 'none', lastCheckedAt: undefined })

export interface AppUpdatePorts {
  /** A tab with unsaved work is never reloaded by another tab's word. */
  mayReload: () => boolean
  /** Asks what becomes of unsaved work in this tab; `false` keeps the old build and the prompt. */
  settleWork: () => Promise<boolean>
  reload: () => void
}

const CHECK_EVERY_MS = 30 * 60_000
const CHECK_AT_MOST_EVERY_MS = 5_000
const CHECK_TAKES_AT_MOST_MS = 30_000
const RELOAD_AT_LATEST_MS = 3_000
const OFFER_AGAIN_MS = 60 * 60_000

let registration: ServiceWorkerRegistration | undefined
let ports: AppUpdatePorts | undefined
let lastTry = 0
let checking: Promise<UpdateCheck> | undefined

/** Registers the worker and watches for a new build. Call once, after the first paint. */
export async function startAppUpdate(given: AppUpdatePorts): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  ports = given
  watchTakeover()
  watchMoments()
  await register().catch(() => undefined)
}

/** Without a line there may be no worker to register on the first visit; each check tries again. */
async function register() {
  registration = await navigator.serviceWorker.register(workerUrl())
  watchForWaiting(registration)
}

/** The browser's own events, forever: a library that stops listening after its first update loses the next (cases M6). */
function watchForWaiting(watched: ServiceWorkerRegistration) {
  const offer = () => {
    if (watched.waiting && navigator.serviceWorker.controller && appUpdate.phase === 'none')
      appUpdate.phase = 'available'
  }
  offer()
  watched.addEventListener('updatefound', () => watched.installing?.addEventListener('statechange', offer))
}

function watchMoments() {
  const occasion = () => {
    if (Date.now() - lastTry >= CHECK_AT_MOST_EVERY_MS) void checkForUpdate()
  }
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && occasion())
  for (const event of ['focus', 'online', 'pageshow']) addEventListener(event, occasion)
  setInterval(occasion, CHECK_EVERY_MS)
}

/** Asks for a newer build and waits until it lies ready. Never rejects: a server that is down is no news (cases M3). */
export function checkForUpdate(): Promise<UpdateCheck> {
  lastTry = Date.now()
  checking ??= Promise.race([look(), ceiling()]).finally(() => {
    checking = undefined
  })
  return checking
}

async function look(): Promise<UpdateCheck> {
  if (!('serviceWorker' in navigator)) return 'unreachable'
  try {
    if (!registration) await register()
    await registration!.update()
  } catch {
    return 'unreachable'
  }
  const next = registration!.installing
  if (next && !(await isInstalled(next))) return 'unreachable'
  appUpdate.lastCheckedAt = Date.now()
  return registration!.waiting || appUpdate.phase !== 'none' ? 'available' : 'current'
}

const ceiling = () =>
  new Promise<UpdateCheck>((resolve) => setTimeout(() => resolve('unreachable'), CHECK_TAKES_AT_MOST_MS))

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

/** "Later" hides the prompt for an hour; a reload offers it at once, since the worker still waits. */
export function snoozeUpdate(): void {
  appUpdate.phase = 'snoozed'
  setTimeout(() => {
    if (appUpdate.phase === 'snoozed') appUpdate.phase = 'available'
  }, OFFER_AGAIN_MS)
}

/** The person said yes: unsaved work is settled first, then the waiting worker takes over and this tab reloads once. */
export async function acceptUpdate(): Promise<void> {
  if (appUpdate.phase === 'applying' || !ports) return
  if (!(await ports.settleWork())) return
  appUpdate.phase = 'applying'
  const next = registration?.waiting
  // Without one another tab was faster: the new worker already serves, only this page is old.
  if (!next) return ports.reload()
  next.postMessage({ type: 'SKIP_WAITING' })
  setTimeout(ports.reload, RELOAD_AT_LATEST_MS)
}

/** Fires in every tab (cases M5), and on the very first visit, when the worker claims a page that had none (cases M8). */
function watchTakeover() {
  let controlled = navigator.serviceWorker.controller !== null
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (!controlled) {
      controlled = true
      return
    }
    if (appUpdate.phase === 'applying' || (document.hidden && ports?.mayReload())) ports?.reload()
    else appUpdate.phase = 'available'
  })
}
