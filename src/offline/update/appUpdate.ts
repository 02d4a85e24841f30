import { proxy } from 'valtio/vanilla'
import { pauseForTakeover } from './takeoverPause.ts'
import {
  activateWaitingWorker,
  fetchNewBuild,
  hasWaitingWorker,
  installWorker,
  repairShell,
  watchRegistrations,
} from './workerRegistration.ts'

/** The result of a check for a newer build. A build with a file that could not be fetched counts as unreachable. */
export type UpdateCheck = 'current' | 'available' | 'unreachable'

/**
 * The state of the update prompt. `available`: the prompt waits for the user. `snoozed`: the prompt is hidden for an hour.
 * `applying`: this tab reloads within RELOAD_AT_LATEST_MS.
 */
export const appUpdate = proxy<{ phase: 'none' | 'available' | 'snoozed' | 'applying' }>({ phase: 'none' })

export interface AppUpdatePorts {
  /** Returns false while this tab has unsaved work. Then only its own user may reload it. */
  mayReload: () => boolean
  /** Asks the user about unsaved work in this tab. Resolves to false if the old build and the prompt must stay. */
  settleWork: () => Promise<boolean>
  reload: () => void
}

const CHECK_EVERY_MS = 30 * 60_000
const CHECK_AT_MOST_EVERY_MS = 5_000
const RELOAD_AT_LATEST_MS = 3_000
const OFFER_AGAIN_MS = 60 * 60_000
/** The message to the other tabs when the user has accepted the update in this one. */
const PAUSE = 'pause'

let tabs: BroadcastChannel | undefined
let ports: AppUpdatePorts | undefined
let lastCheckAt = 0
let checking: Promise<UpdateCheck> | undefined

// Not in startAppUpdate, because the device screen may register the worker before, when it checks for an update.
watchRegistrations(watchForWaiting)

/** Registers the worker and watches for a new build. Call once, after the first paint. */
export async function startAppUpdate(appPorts: AppUpdatePorts): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  ports = appPorts
  watchTakeover()
  pauseWithOthers()
  checkAtEvents()
  answerKillSwitch()
  await installWorker()
  repairShell()
}

/**
 * Answers the kill-switch worker. Before that worker reloads a tab, it asks whether it may, and for the tab's address: it knows only
 * the address at which the tab was opened.
 */
function answerKillSwitch() {
  navigator.serviceWorker.addEventListener('message', ({ data, ports: [reply] }: MessageEvent<unknown>) => {
    const { type } = (data ?? {}) as { type?: unknown }
    if (type === 'MAY_RELOAD') reply?.postMessage(ports?.mayReload() === false ? null : location.href)
  })
}

/**
 * Offers the update when a newer worker waits. Uses the browser's events, because workbox-window stops listening after the first
 * update.
 */
function watchForWaiting(watched: ServiceWorkerRegistration) {
  const offer = () => {
    if (hasNewer(watched) && navigator.serviceWorker.controller && appUpdate.phase === 'none')
      appUpdate.phase = 'available'
  }
  offer()
  watched.addEventListener('updatefound', () => watched.installing?.addEventListener('statechange', offer))
}

/**
 * True if a newer worker waits. The very first worker also waits for a moment, and WebKit (2.50) already names it as the controller
 * then. So only an active worker proves that the waiting one is newer.
 */
const hasNewer = ({ waiting, active }: ServiceWorkerRegistration) => waiting !== null && active !== null

function checkAtEvents() {
  const checkIfDue = () => {
    if (Date.now() - lastCheckAt >= CHECK_AT_MOST_EVERY_MS) void checkForUpdate()
  }
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && checkIfDue())
  for (const event of ['focus', 'online', 'pageshow']) addEventListener(event, checkIfDue)
  setInterval(checkIfDue, CHECK_EVERY_MS)
}

/** Asks for a newer build and waits until it is ready. Never rejects: a missing answer is `unreachable` (offline 23). */
export function checkForUpdate(): Promise<UpdateCheck> {
  lastCheckAt = Date.now()
  checking ??= runCheck().finally(() => {
    checking = undefined
  })
  return checking
}

async function runCheck(): Promise<UpdateCheck> {
  if (!('serviceWorker' in navigator)) return 'unreachable'
  const watched = await fetchNewBuild()
  if (!watched) return 'unreachable'
  if (hasNewer(watched) || appUpdate.phase !== 'none') return 'available'
  repairShell()
  return 'current'
}

/** Hides the prompt for an hour, after "Later". A reload shows the prompt again, because the worker still waits. */
export function snoozeUpdate(): void {
  appUpdate.phase = 'snoozed'
  setTimeout(() => {
    if (appUpdate.phase === 'snoozed') appUpdate.phase = 'available'
  }, OFFER_AGAIN_MS)
}

/** Applies the update that the user accepts: asks about unsaved work, activates the waiting worker, and reloads this tab once. */
export async function acceptUpdate(): Promise<void> {
  if (appUpdate.phase === 'applying' || !ports) return
  if (!(await ports.settleWork())) return
  appUpdate.phase = 'applying'
  // If no worker waits, another tab has activated it, and only this page is old.
  if (!hasWaitingWorker()) return ports.reload()
  setTimeout(ports.reload, RELOAD_AT_LATEST_MS)
  tabs?.postMessage(PAUSE)
  // The pause does not end with the takeover, because the reload would cut off new requests.
  await pauseForTakeover(new Promise(() => undefined))
  activateWaitingWorker()
}

/** Pauses this tab when another tab applies the update, because requests from any tab would keep the old worker running. */
function pauseWithOthers() {
  tabs = new BroadcastChannel('app-update')
  tabs.onmessage = ({ data }) => {
    if (data !== PAUSE) return
    const onTakeover = (resolve: () => void) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true })
    void pauseForTakeover(new Promise<void>(onTakeover))
  }
}

/**
 * Reacts to a new controller. The event comes in every tab. It also comes on the very first visit, when the worker claims a page
 * without a controller (offline 4 and 16).
 */
function watchTakeover() {
  let isControlled = navigator.serviceWorker.controller !== null
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (!isControlled) {
      isControlled = true
      return
    }
    if (appUpdate.phase === 'applying' || (document.hidden && ports?.mayReload())) ports?.reload()
    else appUpdate.phase = 'available'
  })
}
