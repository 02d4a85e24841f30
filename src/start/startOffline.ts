import type { AnyRouter } from '@tanstack/react-router'
import { subscribe } from 'valtio/vanilla'
import { call } from '../api/call.ts'
import { probeServer } from '../api/probeServer.ts'
import { tillWire } from '../api/tillWire.ts'
import { retryImport } from '../blocks/lazy/lazyWithRetry.tsx'
import { mayReload, reload } from '../blocks/lazy/reload.ts'
import { myInfo } from '../contract/accounts/account.ts'
import { SOURCE_PARAMETER } from '../domain/gate.ts'
import { watchConnectivity } from '../offline/connectivity/watchConnectivity.ts'
import { thisTill } from '../offline/redemptions/openTill.ts'
import { startAppUpdate } from '../offline/update/appUpdate.ts'
import { cacheFiles } from '../offline/update/workerRegistration.ts'
import { showWaitingBadge } from '../offline/waitingCounts.ts'
import { auth, storeProfile } from '../state/auth.ts'
import { lastActionAt } from '../state/lastAction.ts'
import { showToast } from '../state/toasts.ts'
import { watchTyping } from '../state/unsavedWork.ts'
import { focusNewPages } from './focusNewPages.ts'
import { followKeyboard } from './followKeyboard.ts'
import { hideDownloadsLeft, hideUploads, showDownloadsLeft, showUploads } from './loggedOutToasts.ts'
import { keepPrepared, prepareFor } from './prepareOffline.ts'
import { serveDownloads, serveTill } from './queues.ts'
import { settleUnsavedWork } from './settleUnsavedWork.ts'
import { tellTroubles } from './tellTroubles.ts'

/** Starts the offline functions after the first paint. It uses several tasks, since the user may be typing already. */
export async function startOffline(router: AnyRouter): Promise<void> {
  openScreen = (href) => void router.navigate({ href })
  await nextTask()
  focusNewPages(router)
  watchTyping()
  followKeyboard()
  // Under `vite dev` there is no worker to register: /sw.js would be the app's own HTML.
  if (import.meta.env.PROD) void startAppUpdate({ mayReload, settleWork: settleUnsavedWork, reload })
  // Loaded before it is needed, because its file may be gone from the server by then.
  void import('../blocks/lazy/recoverMissingChunk.ts').catch(() => undefined)
  watchLaunches(openScreen)
  void watchConnectivity(probeServer)
  keepServerInformed()
  keepPrepared()
  tellTroubles()
  await nextTask()
  serveUser()
  subscribe(auth, serveUser)
  await nextTask()
  serveTill(tillWire)
  void retryImport(() => import('./reportDevice.ts')).then(({ reportDevice }) => reportDevice())
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve))

const LOOK_EVERY_MS = 20_000

/** The fraction of the idle limit that may pass without a call while a user works on a long form. */
const SILENCE_FRACTION = 1 / 3

/** Makes a call when a working user causes none: the server's idle limit is about users, but only calls tell it of their actions. */
function keepServerInformed() {
  let calledAt = Date.now()
  setInterval(() => {
    const silentSeconds = (Date.now() - calledAt) / 1000
    const hasActed = lastActionAt() > calledAt
    if (!auth.session || !hasActed || silentSeconds < auth.session.idle_seconds * SILENCE_FRACTION) return
    calledAt = Date.now()
    call(myInfo).then(storeProfile, () => undefined)
  }, LOOK_EVERY_MS)
}

let openScreen: (href: string) => void = () => undefined

let servedOwner: string | undefined | null = null

/** Connects the screens' files, the queue, the store, the badge, the reference lists and the voucher in hand with the logged-in user. */
function serveUser() {
  const owner = auth.user?.guid
  if (owner === servedOwner) return
  const isStart = servedOwner === null
  servedOwner = owner
  serveDownloads(owner, (...file) => void showReady(owner, ...file))
  showWaitingBadge(owner)
  prepareFor(owner)
  void thisTill().then((till) => till.giveBackOfOthers(owner))
  if (owner !== undefined) {
    void cacheFiles('screens')
    hideDownloadsLeft()
    hideUploads()
  } else if (!isStart || location.pathname === '/login') {
    void showDownloadsLeft()
    showUploads()
  }
}

/**
 * Shows that a file is ready. In the list of downloads each file has a button, so the toast there has none. The toast's code is
 * loaded with the first file, because the queue runs on every screen.
 */
async function showReady(owner: string | undefined, id: string, filename: string): Promise<void> {
  if (location.pathname === '/downloads') return void showToast({ tone: 'info', text: `${filename} is ready.` })
  const { followDownload } = await retryImport(() => import('../blocks/downloads/downloadToast.ts'))
  if (owner !== undefined) followDownload(owner, id, () => openScreen('/downloads'))
}

interface LaunchQueue {
  setConsumer: (consumer: (launch: { targetURL?: string }) => void) => void
}

/**
 * Handles another launch of the installed app, from its icon, a shortcut or a link: this window gets the focus and the address. Its
 * screen changes only if nothing on it would be lost (rule 14.13).
 */
function watchLaunches(open: (href: string) => void): void {
  const { launchQueue } = window as { launchQueue?: LaunchQueue }
  launchQueue?.setConsumer(({ targetURL }) => {
    const href = targetURL === undefined ? undefined : screenToOpen(targetURL)
    if (href === undefined) return
    if (mayReload()) open(href)
    else showToast({ tone: 'info', text: 'Finish what is on this page first, then open the other page again.' })
  })
}

/**
 * Returns the screen of a launch, unless it is open already. The icon means the window as it is, and the browser itself has
 * opened the address of the launch that created the window.
 */
function screenToOpen(targetURL: string): string | undefined {
  const { origin, pathname, searchParams, search, hash } = new URL(targetURL)
  searchParams.delete(SOURCE_PARAMETER)
  const query = searchParams.toString()
  const isHere = pathname === '/' || pathname + (query && `?${query}`) === location.pathname + location.search
  const [navigation] = performance.getEntriesByType('navigation')
  return isHere || origin !== location.origin || isWindowLaunch(targetURL, navigation?.name)
    ? undefined
    : pathname + search + hash
}

let launches = 0

const isWindowLaunch = (targetURL: string, navigation: string | undefined) =>
  ++launches === 1 && targetURL === navigation
