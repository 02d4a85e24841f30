import { isDown, type Contact, type Probed } from '../../domain/connectivity.ts'
import { spreadMs } from '../backoff.ts'
import { connectivity, listenForContacts } from './connectivity.ts'
import { RETURN_MS, judgeConnectivity, INITIAL_RECORD } from './judgeConnectivity.ts'

/** Asks our server for a health check; `thorough` also checks that it can work. Has its own time limit. */
export type Probe = (thorough: boolean) => Promise<Probed>

const FIRST_RETRY_MS = 2_000

const LAST_RETRY_MS = 30_000

let ask: Probe | undefined

let probing: Promise<void> | undefined

let record = INITIAL_RECORD

let retryMs = FIRST_RETRY_MS

let retry: ReturnType<typeof setTimeout> | undefined

/** True when a call failed, and it is not known yet if the connection did. */
let inDoubt = false

/** True when our server itself failed: a simple health check would not clear that. */
let isFaulty = false

let isAskedFor = false

/** When the user began to leave this page: milliseconds of the page's own clock. */
let leftAt = -Infinity

/** If the page is still open after this time, the user has not left it. */
const LEAVING_MS = 5_000

/** When our server's requested wait is over: until then, calls that fail busy or come late cause no probe. */
let busyUntil = 0

let random = Math.random

/** Keeps the verdict of `connectivity` up to date from now on; probes at once. Resolves with the first verdict. */
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

/** "Try now": the result counts at once. */
export function checkConnectivity(): Promise<void> {
  isAskedFor = true
  return check()
}

/** Takes a call's outcome. An answer of our server ends an outage; any other outcome starts a probe. */
function hear(contact: Contact, retryAfterMs = 0) {
  if (isAnswer(contact)) recordContact(Date.now())
  if (contact === 'busy') return leaveAlone(retryAfterMs)
  if (contact === 'late' && Date.now() < busyUntil) return undefined
  if (contact === 'ours') return isDown(record.verdict) && !isFaulty ? settle(contact) : undefined
  inDoubt ||= contact !== 'late'
  isFaulty ||= contact === 'fault'
  void check()
}

/** Does not probe a busy server at once, which would mean two more requests from each device. It probes once, when the wait is over. */
function leaveAlone(retryAfterMs: number): void {
  if (probing) return void probing.then(() => leaveAlone(retryAfterMs))
  inDoubt = isFaulty = true
  if (Date.now() < busyUntil) return undefined
  const wait = spreadMs(retryMs, { retryAfterMs, random })
  busyUntil = Date.now() + wait
  retryIn(wait)
}

/** Probes; several callers share one probe. */
function check(): Promise<void> {
  probing ??= probe().finally(() => {
    probing = undefined
  })
  return probing
}

async function probe() {
  if (!ask) return
  const { contact, retryAfterMs } = await ask(isFaulty).catch((): Probed => ({ contact: 'silent' }))
  // Safari ends a page's requests as soon as the user leaves it, and the page still sees them fail: that is no outage.
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

/** Goes on probing while anything is wrong, even if navigator.onLine disagrees (offline 30): more and more rarely, and when a hold ends. */
function askAgainLater(retryAfterMs: number | undefined) {
  const { verdict, run } = record
  const isHeld = isDown(verdict) && run.answers
  retryIn(isHeld ? run.since + RETURN_MS - Date.now() : spreadMs(retryMs, { retryAfterMs, random }))
}

function retryIn(ms: number) {
  clearTimeout(retry)
  retry = setTimeout(retryNow, ms)
}

/** Only probes of the timer become rarer: a burst of failed calls must not cause a wait of half a minute. */
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

/** Restores the time of our server's last answer from storage: it may be from before this page was opened. */
function restoreLastContact(): void {
  try {
    keptAt = Number(localStorage.getItem(LAST_CONTACT_KEY)) || 0
  } catch {
    // Storage may be forbidden; then the page knows only its own contacts.
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
