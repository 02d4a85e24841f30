import { subscribe } from 'valtio/vanilla'
import { ApiError } from './api/ApiError.ts'
import { reportFile } from './api/reportFile.ts'
import { tillWire } from './api/tillWire.ts'
import { accountApi, filterApi, signupApi, systemApi } from './api/portal.ts'
import type { myInfo } from './contract/account.ts'
import type { AnswerOf } from './contract/endpoint.ts'
import type { Feature } from './contract/permissions.ts'
import { isGated, type Visitor } from './domain/gate.ts'
import { may } from './domain/permissions.ts'
import { badgeDownloads } from './offline/page/appBadge.ts'
import { startAppUpdate } from './offline/page/appUpdate.ts'
import { connectivity, watchConnectivity } from './offline/page/connectivity.ts'
import type { Send, SendOutcome } from './offline/page/Send.ts'
import { serveOutbox, wakeOutboxForLine } from './offline/page/outboxWaker.ts'
import { openTill, wakeTill } from './offline/page/till/openTill.ts'
import { userStore } from './offline/page/userStore.ts'
import { auth, profileRead, visitor } from './state/auth.ts'
import { passwordPromptRead } from './state/passwordPrompt.ts'
import { lastAction } from './state/person.ts'
import { showToast } from './state/toasts.ts'
import { watchTyping } from './state/typing.ts'
import { mayReload, reload } from './blocks/reload.ts'
import { settleUnsavedWork } from './settleUnsavedWork.ts'
import { watchLaunches } from './watchLaunches.ts'
import { forgetDownloadsLeft, tellDownloadsLeft } from './tellDownloadsLeft.ts'
import { stopTellingUploads, tellUploads } from './tellUploads.ts'

/** The second half of the wiring: what works offline, after the first paint. `open` shows another screen. */
export function startOffline(open: (href: string) => void): void {
  watchTyping()
  // Under `vite dev` there is no worker to register: /sw.js would be the app's own HTML.
  if (import.meta.env.PROD) void startAppUpdate({ mayReload, settleWork: settleUnsavedWork, reload })
  // Has to be here before it is needed: by then its file may be gone from the server.
  void import('./blocks/healStaleChunk.ts')
  watchLaunches(open)
  watchLine()
  keepServerInformed()
  servePerson()
  subscribe(auth, servePerson)
  openTill(tillWire)
  wakeOnOccasion()
}

const LOOK_EVERY_MS = 20_000
/** Of the idle limit: the server may hear nothing for this long from somebody at work on a long form. */
const SILENCE_AT_MOST = 1 / 3

/** The server's idle limit follows people, but it only hears of them with a call: one is made when a busy person makes none. */
function keepServerInformed() {
  let heardAt = Date.now()
  setInterval(() => {
    const silence = (Date.now() - heardAt) / 1000
    const acted = lastAction() > heardAt
    if (!auth.session || !acted || silence < auth.session.idle_seconds * SILENCE_AT_MOST) return
    heardAt = Date.now()
    accountApi.myInfo().then(profileRead, () => undefined)
  }, LOOK_EVERY_MS)
}

/** Only an echo of the nonce is our server: a captive portal and a cached page both answer, and neither knows it. */
function watchLine() {
  watchConnectivity(async () => {
    const nonce = crypto.randomUUID()
    return (await systemApi.health({ query: { nonce } })).nonce === nonce
  })
}

let served: string | undefined | null = null

/** The queue, the store, the badge and the reference lists belong to whoever is signed in. */
function servePerson() {
  const owner = auth.user?.guid
  if (owner === served) return
  const isVisit = served === null
  served = owner
  serveOutbox(owner, send, tellReady)
  badgeDownloads(owner)
  if (owner !== undefined) {
    forgetDownloadsLeft()
    stopTellingUploads()
    void prepareFor(owner)
  } else if (!isVisit || location.pathname === '/login') {
    void tellDownloadsLeft()
    tellUploads()
  }
}

/**
 * Makes the person's database, so that the worker has somewhere to write, then asks once for what offline work needs: the
 * profile as it is now and every reference list.
 */
async function prepareFor(owner: string) {
  await userStore(owner)
    .open()
    .catch(() => undefined)
  const person = visitor()
  if (!person) return
  await accountApi.myInfo().then(readProfile, () => undefined)
  if (isGated(person)) await signupApi.productServiceCategories().catch(() => undefined)
  if (may(person, { feature: 'reports', action: 'view' })) {
    await filterApi.denominations().catch(() => undefined)
    await filterApi.branches().catch(() => undefined)
  }
  await prepareBusiness(person)
}

/** The lists of the merchant's own screens; their calls come with those, not with /login. */
async function prepareBusiness(person: Visitor) {
  const sees = (feature: Feature) => may(person, { feature, action: 'view' })
  if (!sees('masters') && !sees('resources')) return
  const { masterApi, programmeApi } = await import('./api/business.ts')
  if (sees('masters')) await masterApi.list().catch(() => undefined)
  if (sees('resources')) await programmeApi.datatable({ query: {} }).catch(() => undefined)
}

function readProfile(profile: AnswerOf<typeof myInfo>) {
  profileRead(profile)
  passwordPromptRead(profile)
}

function wakeOnOccasion() {
  const wakeAll = () => {
    wakeOutboxForLine()
    wakeTill()
  }
  subscribe(connectivity, () => connectivity.verdict === 'online' && wakeAll())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wakeAll())
  addEventListener('pageshow', wakeAll)
}

const tellReady = (filename: string) => void showToast({ tone: 'info', text: `${filename} is ready under Downloads.` })

/** One attempt of the queue, its outcome in the queue's own words. */
const send: Send = async (intent, id, progress, signal) => {
  try {
    return { kind: 'done', ...(await reportFile(intent, id, progress, signal)) }
  } catch (error) {
    // Nobody waits for it any more: the queue looks at the signal, not at this.
    if (signal.aborted) return { kind: 'stop' }
    if (!(error instanceof ApiError)) throw error
    return outcomeOf(error)
  }
}

function outcomeOf(error: ApiError): SendOutcome {
  if (error.endsSession) return { kind: 'stop' }
  const again = error.isLineFault || error.statusCode === 429 || error.statusCode === 408 || error.statusCode >= 500
  if (!again) return { kind: 'refused', trouble: error.statusMessage }
  const wait = error.retryAfterSeconds
  const { isLineFault: lineFault, statusMessage: trouble } = error
  return { kind: 'later', trouble, lineFault, ...(wait ? { retryAfterMs: wait * 1000 } : {}) }
}
