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

/** The result of a check for a newer build. A build that could not be fetched whole counts as unreachable. */
export type UpdateCheck = 'current' | 'available' | 'unreachable'

/**
 * The states of the update prompt; every one of them ends. `available` waits for the user, `snoozed` for an hour, `applying`
 * reloads within RELOAD_AT_LATEST_MS.
 */
export const appUpdate = proxy<{ phase: 'none' | 'available' | 'snoozed' | 'applying' }>({ phase: 'none' })

export interface AppUpdatePorts {
  /** False keeps other tabs from reloading a tab with unsaved work. */
  mayReload: () => boolean
  /** Asks the user about unsaved work in this tab; `false` keeps the old build and the prompt. */
  settleWork: () => Promise<boolean>
  reload: () => void
}

const CHECK_EVERY_MS = 30 * 60_000
const CHECK_AT_MOST_EVERY_MS = 5_000
const RELOAD_AT_LATEST_MS = 3_000
const OFFER_AGAIN_MS = 60 * 60_000
/** The message from the tab where the user accepted the update to the others. */
const PAUSE = 'pause'

let tabs: BroadcastChannel | undefined
let ports: AppUpdatePorts | undefined
let lastTry = 0
let checking: Promise<UpdateCheck> | undefined

// Begins at once: the device screen may check for an update, and so register, before startAppUpdate does.
watchRegistrations(watchForWaiting)

/** Registers the worker and watches for a new build. Call once, after the first paint. */
export async function startAppUpdate(given: AppUpdatePorts): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  ports = given
  watchTakeover()
  pauseWithOthers()
  watchMoments()
  answerKillSwitch()
  await installWorker()
  repairShell()
}

/**
 * Answers the worker that ends all workers. Before it reloads a tab, it asks if it may, and for the address: a worker only knows
 * where a tab began.
 */
function answerKillSwitch() {
  navigator.serviceWorker.addEventListener('message', ({ data, ports: [reply] }: MessageEvent<unknown>) => {
    const { type } = (data ?? {}) as { type?: unknown }
    if (type === 'MAY_RELOAD') reply?.postMessage(ports?.mayReload() === false ? null : location.href)
  })
}

/** Listens to the browser's own events: workbox-window stops listening after its first update. */
function watchForWaiting(watched: ServiceWorkerRegistration) {
  const offer = () => {
    if (hasNewer(watched) && navigator.serviceWorker.controller && appUpdate.phase === 'none')
      appUpdate.phase = 'available'
  }
  offer()
  watched.addEventListener('updatefound', () => watched.installing?.addEventListener('statechange', offer))
}

/**
 * True if a newer worker waits. The first worker also waits for a moment. WebKit (2.50) already names it as the controller then, so
 * a controller proves no update.
 */
const hasNewer = ({ waiting, active }: ServiceWorkerRegistration) => waiting !== null && active !== null

function watchMoments() {
  const occasion = () => {
    if (Date.now() - lastTry >= CHECK_AT_MOST_EVERY_MS) void checkForUpdate()
  }
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && occasion())
  for (const event of ['focus', 'online', 'pageshow']) addEventListener(event, occasion)
  setInterval(occasion, CHECK_EVERY_MS)
}

/** Asks for a newer build and waits until it is ready. Never rejects: a server that is down is no news (offline 23). */
export function checkForUpdate(): Promise<UpdateCheck> {
  lastTry = Date.now()
  checking ??= look().finally(() => {
    checking = undefined
  })
  return checking
}

async function look(): Promise<UpdateCheck> {
  if (!('serviceWorker' in navigator)) return 'unreachable'
  const watched = await fetchNewBuild()
  if (!watched) return 'unreachable'
  if (hasNewer(watched) || appUpdate.phase !== 'none') return 'available'
  repairShell()
  return 'current'
}

/** "Later" hides the prompt for an hour; a reload offers it at once, since the worker still waits. */
export function snoozeUpdate(): void {
  appUpdate.phase = 'snoozed'
  setTimeout(() => {
    if (appUpdate.phase === 'snoozed') appUpdate.phase = 'available'
  }, OFFER_AGAIN_MS)
}

/** Applies the update when the user accepts it: unsaved work is settled first, then the waiting worker takes over and this tab reloads once. */
export async function acceptUpdate(): Promise<void> {
  if (appUpdate.phase === 'applying' || !ports) return
  if (!(await ports.settleWork())) return
  appUpdate.phase = 'applying'
  // Without a waiting worker another tab was faster: the new worker already serves, only this page is old.
  if (!hasWaitingWorker()) return ports.reload()
  setTimeout(ports.reload, RELOAD_AT_LATEST_MS)
  tabs?.postMessage(PAUSE)
  // The pause does not end when the new worker takes over: the reload would cut off any new request.
  await pauseForTakeover(new Promise(() => undefined))
  activateWaitingWorker()
}

/** Pauses this tab when another tab takes the update: requests from any tab would keep the old worker running. */
function pauseWithOthers() {
  tabs = new BroadcastChannel('app-update')
  tabs.onmessage = ({ data }) => {
    if (data !== PAUSE) return
    const taken = (resolve: () => void) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true })
    void pauseForTakeover(new Promise<void>(taken))
  }
}

/**
 * Reacts to a new controller. The event comes in every tab, and also on the very first visit, when the worker claims a page without
 * one (offline 4 and 16).
 */
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
