import { proxy } from 'valtio/vanilla'
import { Workbox } from 'workbox-window'

/**
 * The update prompt's states; every one of them ends. `available` waits for a person, `snoozed` for an hour,
 * `applying` reloads within RELOAD_AT_LATEST_MS.
 */
export const appUpdate = proxy<{ phase: 'none' | 'available' | 'snoozed' | 'applying' }>({ phase: 'none' })

export interface AppUpdatePorts {
  /** A tab with unsaved work is never reloaded by another tab's word. */
  mayReload: () => boolean
  reload: () => void
}

const CHECK_EVERY_MS = 30 * 60_000
const CHECK_AT_MOST_EVERY_MS = 5_000
const RELOAD_AT_LATEST_MS = 3_000
const OFFER_AGAIN_MS = 60 * 60_000

let registration: ServiceWorkerRegistration | undefined
let workbox: Workbox | undefined
let ports: AppUpdatePorts | undefined
let lastCheck = 0

/** Registers the worker and watches for a new build. Call once, after the first paint. */
export async function startAppUpdate(given: AppUpdatePorts): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  ports = given
  watchTakeover()
  workbox = new Workbox(workerUrl())
  registration = await workbox.register()
  if (!registration) return
  watchForWaiting(registration)
  watchMoments()
}

/** Trusted Types: the CSP names this policy and no other, and it can give out one address only. */
function workerUrl() {
  const policy = window.trustedTypes?.createPolicy('service-worker', { createScriptURL: (_url: string) => '/sw.js' })
  return policy?.createScriptURL('') ?? '/sw.js'
}

/** workbox-window stops listening after its first update (cases M6), so the browser's own events decide. */
function watchForWaiting(watched: ServiceWorkerRegistration) {
  const offer = () => {
    if (watched.waiting && navigator.serviceWorker.controller && appUpdate.phase !== 'applying') {
      appUpdate.phase = 'available'
    }
  }
  offer()
  watched.addEventListener('updatefound', () => watched.installing?.addEventListener('statechange', offer))
}

function watchMoments() {
  const visible = () => document.visibilityState === 'visible' && checkForUpdate()
  document.addEventListener('visibilitychange', visible)
  for (const event of ['focus', 'online', 'pageshow']) addEventListener(event, checkForUpdate)
  setInterval(checkForUpdate, CHECK_EVERY_MS)
}

/** Asks for a newer build. A server that is down rejects, which is no news (cases M3). */
export function checkForUpdate(): void {
  if (!registration || Date.now() - lastCheck < CHECK_AT_MOST_EVERY_MS) return
  lastCheck = Date.now()
  registration.update().catch(() => undefined)
}

/** "Later" hides the prompt for an hour; a reload offers it at once, since the worker still waits. */
export function snoozeUpdate(): void {
  appUpdate.phase = 'snoozed'
  setTimeout(() => {
    if (appUpdate.phase === 'snoozed') appUpdate.phase = 'available'
  }, OFFER_AGAIN_MS)
}

/** The person said yes: the waiting worker takes over and this tab lands on it with one reload. */
export function acceptUpdate(): void {
  appUpdate.phase = 'applying'
  if (!registration?.waiting) {
    // Another tab was faster; the new worker already serves, only this page is old.
    ports?.reload()
    return
  }
  workbox?.messageSkipWaiting()
  setTimeout(() => ports?.reload(), RELOAD_AT_LATEST_MS)
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
