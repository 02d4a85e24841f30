import { isDown, type Contact, type Probed } from '../../domain/connectivity.ts'
import { spreadMs } from '../backoff.ts'
import { connectivity, listenForContacts } from './connectivity.ts'
import { HOLD_MS, judgeConnectivity, UNJUDGED } from './judgeConnectivity.ts'

/** Asks our server for a health check; `thorough`: and whether it can work. Has a ceiling of its own. */
export type Probe = (thorough: boolean) => Promise<Probed>

const FIRST_RETRY_MS = 2_000

const LAST_RETRY_MS = 30_000

let ask: Probe | undefined

let probing: Promise<void> | undefined

let record = UNJUDGED

let retryMs = FIRST_RETRY_MS

let retry: ReturnType<typeof setTimeout> | undefined

/** A call failed, and it is not known yet whether the connection did. */
let inDoubt = false

/** Our server failed by itself: a health check alone would not clear it. */
let isFaulty = false

let isAskedFor = false

/** When a person set out to leave this page: milliseconds of the page's own clock. */
let leftAt = -Infinity

/** Who is here after that long has not left. */
const LEAVING_MS = 5_000

/** Our server asked for time: before it is over, calls that fail busy or come late ask it nothing more. */
let busyUntil = 0

let random = Math.random

/** Keeps the verdict of `connectivity` from now on; asks at once. Resolves with the first verdict. */
export function watchConnectivity(probe: Probe, chance = Math.random): Promise<void> {
  ask = probe
  random = chance
  restoreLastContact()
  listenForContacts(hear)
  const judged = check()
  for (const event of ['online', 'offline', 'pageshow']) addEventListener(event, () => void check())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void check())
  addEventListener('beforeunload', () => (leftAt = performance.now()))
  addEventListener('pageshow', () => (leftAt = -Infinity))
  return judged
}

/** "Try now": whatever comes of it counts at once. */
export function checkConnectivity(): Promise<void> {
  isAskedFor = true
  return check()
}

/** A call's outcome. An answer of ours ends an outage; whatever else came of a call makes us ask. */
function hear(contact: Contact, retryAfterMs = 0) {
  if (isAnswer(contact)) recordContact(Date.now())
  if (contact === 'busy') return leaveAlone(retryAfterMs)
  if (contact === 'late' && Date.now() < busyUntil) return undefined
  if (contact === 'ours') return isDown(record.verdict) && !isFaulty ? settle(contact) : undefined
  inDoubt ||= contact !== 'late'
  isFaulty ||= contact === 'fault'
  void check()
}

/** A busy server is not asked at once how it is, by each device with two requests more: only when its time is over, and once. */
function leaveAlone(retryAfterMs: number): void {
  if (probing) return void probing.then(() => leaveAlone(retryAfterMs))
  inDoubt = isFaulty = true
  if (Date.now() < busyUntil) return undefined
  const rest = spreadMs(retryMs, { retryAfterMs, random })
  busyUntil = Date.now() + rest
  retryIn(rest)
}

/** Several askers share one probe. */
function check(): Promise<void> {
  probing ??= probe().finally(() => {
    probing = undefined
  })
  return probing
}

async function probe() {
  if (!ask) return
  const { contact, retryAfterMs } = await ask(isFaulty).catch((): Probed => ({ contact: 'silent' }))
  // Safari ends what a page has asked for as soon as it is left, and the page still hears of it: that is no outage.
  if (contact === 'silent' && performance.now() - leftAt < LEAVING_MS) return retryIn(FIRST_RETRY_MS)
  if (isAnswer(contact)) recordContact(Date.now())
  isFaulty ||= contact === 'fault'
  settle(contact, retryAfterMs)
}

function settle(contact: Probed['contact'], retryAfterMs?: number) {
  const before = record.verdict
  record = judgeConnectivity(record, contact, { now: Date.now(), onLine: navigator.onLine, asked: isAskedFor })
  const { verdict, since, captive } = record
  const returned = !isDown(verdict) && (inDoubt || isDown(before))
  if (!isDown(verdict)) inDoubt = isFaulty = false
  isAskedFor = false
  Object.assign(connectivity, { verdict, since, captive, returns: connectivity.returns + Number(returned) })
  const isWell = verdict === 'online' && record.late === 0
  if (isWell || verdict !== before) retryMs = FIRST_RETRY_MS
  clearTimeout(retry)
  if (!isWell) askAgainLater(retryAfterMs)
}

/** While anything is wrong we go on asking, whatever navigator.onLine says (offline 30): rarer and rarer, and as a hold ends. */
function askAgainLater(retryAfterMs: number | undefined) {
  const { verdict, run } = record
  const isHeld = isDown(verdict) && run.answers
  retryIn(isHeld ? run.since + HOLD_MS - Date.now() : spreadMs(retryMs, { retryAfterMs, random }))
}

function retryIn(ms: number) {
  clearTimeout(retry)
  retry = setTimeout(retryNow, ms)
}

/** Only what nobody asked for grows rarer: a burst of calls that fail must not make us wait for half a minute. */
function retryNow() {
  retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
  void check()
}

const isAnswer = (contact: Contact) => contact === 'ours' || contact === 'late' || contact === 'busy'

const LAST_CONTACT_KEY = 'lastContact'

/** The screen counts in minutes, and storage is not written at every call. */
const SHOWN_GRAIN_MS = 1_000

const KEPT_GRAIN_MS = 30_000

let keptAt = 0

/** When our server last answered, as far as this device remembers: it may have been before this page was opened. */
function restoreLastContact(): void {
  try {
    keptAt = Number(localStorage.getItem(LAST_CONTACT_KEY)) || 0
  } catch {
    // Storage may be forbidden; the page then knows its own contacts only.
  }
  connectivity.lastContactAt ||= keptAt
}

function recordContact(now: number): void {
  if (now - connectivity.lastContactAt >= SHOWN_GRAIN_MS) connectivity.lastContactAt = now
  if (now - keptAt < KEPT_GRAIN_MS) return
  keptAt = now
  try {
    localStorage.setItem(LAST_CONTACT_KEY, String(now))
  } catch {
    // As above.
  }
}
