import { isDown, type Contact, type Probed } from '../../domain/connectivity.ts'
import { spreadMs } from '../backoff.ts'
import { connectivity, listenForContacts } from './connectivity.ts'
import { RETURN_MS, judgeConnectivity, INITIAL_RECORD } from './judgeConnectivity.ts'

/** Asks our server for a health check, within its own time limit. A `thorough` one also checks that the server can do its work. */
export type Probe = (thorough: boolean) => Promise<Probed>

const FIRST_RETRY_MS = 2_000

const LAST_RETRY_MS = 30_000

let askServer: Probe | undefined

let probing: Promise<void> | undefined

let record = INITIAL_RECORD

let retryMs = FIRST_RETRY_MS

let retryTimer: ReturnType<typeof setTimeout> | undefined

/** True after a failed call, until a probe has shown whether the connection failed. */
let inDoubt = false

/** True after our server itself failed. The next check is thorough then, because a simple one could succeed. */
let isFaulty = false

/** True while the user waits for the result of "Try now". */
let isAskedFor = false

/** When the user began to leave this page, in milliseconds of the page's own clock. */
let leftAt = -Infinity

/** If the page is still open after this time, the user has not left it. */
const LEAVING_MS = 5_000

/** The end of the wait that our busy server asked for. Until then, busy or late answers cause no probe. */
let busyUntil = 0

let random = Math.random

/** Keeps the verdict of `connectivity` up to date from now on; probes at once. Resolves with the first verdict. */
export function watchConnectivity(probe: Probe, chance = Math.random): Promise<void> {
  askServer = probe
  random = chance
  restoreLastContact()
  listenForContacts(handleContact)
  const judged = probeOnce()
  for (const event of ['online', 'offline', 'pageshow']) addEventListener(event, () => void probeOnce())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void probeOnce())
  addEventListener('beforeunload', () => (leftAt = performance.now()))
  addEventListener('pageshow', () => (leftAt = -Infinity))
  return judged
}

/** Probes when the user asks for it ("Try now"): the result counts at once. */
export function checkConnectivity(): Promise<void> {
  isAskedFor = true
  return probeOnce()
}

/** Handles the outcome of a call. A normal answer ends an outage. A busy server delays the next probe. Any other outcome starts one. */
function handleContact(contact: Contact, retryAfterMs = 0) {
  if (isAnswer(contact)) recordContact(Date.now())
  if (contact === 'busy') return probeAfterWait(retryAfterMs)
  if (contact === 'late' && Date.now() < busyUntil) return undefined
  if (contact === 'ours') return isDown(record.verdict) && !isFaulty ? applyContact(contact) : undefined
  inDoubt ||= contact !== 'late'
  isFaulty ||= contact === 'fault'
  void probeOnce()
}

/** Probes a busy server once, when its wait is over. A probe at once would cost the server two more requests from each device. */
function probeAfterWait(retryAfterMs: number): void {
  if (probing) return void probing.then(() => probeAfterWait(retryAfterMs))
  inDoubt = isFaulty = true
  if (Date.now() < busyUntil) return undefined
  const wait = spreadMs(retryMs, { retryAfterMs, random })
  busyUntil = Date.now() + wait
  retryIn(wait)
}

/** Probes; several callers share one probe. */
function probeOnce(): Promise<void> {
  probing ??= probe().finally(() => {
    probing = undefined
  })
  return probing
}

async function probe() {
  if (!askServer) return
  const { contact, retryAfterMs } = await askServer(isFaulty).catch((): Probed => ({ contact: 'silent' }))
  // Safari ends a page's requests when the user leaves the page. The page still sees them fail, but this is no outage.
  if (contact === 'silent' && performance.now() - leftAt < LEAVING_MS) return retryIn(FIRST_RETRY_MS)
  if (isAnswer(contact)) recordContact(Date.now())
  isFaulty ||= contact === 'fault'
  applyContact(contact, retryAfterMs)
}

function applyContact(contact: Probed['contact'], retryAfterMs?: number) {
  const before = record.verdict
  record = judgeConnectivity(record, contact, { now: Date.now(), onLine: navigator.onLine, isAskedFor })
  const { verdict, since, captive } = record
  const hasReturned = !isDown(verdict) && (inDoubt || isDown(before))
  if (!isDown(verdict)) inDoubt = isFaulty = false
  isAskedFor = false
  Object.assign(connectivity, { verdict, since, captive, returns: connectivity.returns + Number(hasReturned) })
  const isWell = verdict === 'online' && record.late === 0
  if (isWell || verdict !== before) retryMs = FIRST_RETRY_MS
  clearTimeout(retryTimer)
  if (!isWell) probeAgainLater(retryAfterMs)
}

/**
 * Probes again while anything is wrong, even if navigator.onLine disagrees (offline 30). After a blip it probes when the
 * connection may count as back. Otherwise each wait is longer than the last.
 */
function probeAgainLater(retryAfterMs: number | undefined) {
  const { verdict, run } = record
  const isSettling = isDown(verdict) && run.isAnswered
  retryIn(isSettling ? run.since + RETURN_MS - Date.now() : spreadMs(retryMs, { retryAfterMs, random }))
}

function retryIn(ms: number) {
  clearTimeout(retryTimer)
  retryTimer = setTimeout(retryNow, ms)
}

/** Only a timed probe doubles the wait: a burst of failed calls must not lead to a wait of half a minute. */
function retryNow() {
  retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
  void probeOnce()
}

const isAnswer = (contact: Contact) => contact === 'ours' || contact === 'late' || contact === 'busy'

const LAST_CONTACT_KEY = 'lastContact'

/** The screen shows minutes. So it is enough to change the time once a second, and to store it even less often. */
const SHOWN_EVERY_MS = 1_000

const STORED_EVERY_MS = 30_000

let storedAt = 0

/** Restores the time of our server's last answer, which may be from before this page was opened. */
function restoreLastContact(): void {
  try {
    storedAt = Number(localStorage.getItem(LAST_CONTACT_KEY)) || 0
  } catch {
    // Storage may be forbidden; then the page knows only its own contacts.
  }
  connectivity.lastContactAt ||= storedAt
}

function recordContact(now: number): void {
  if (now - connectivity.lastContactAt >= SHOWN_EVERY_MS) connectivity.lastContactAt = now
  if (now - storedAt < STORED_EVERY_MS) return
  storedAt = now
  try {
    localStorage.setItem(LAST_CONTACT_KEY, String(now))
  } catch {
    // Storage may be forbidden.
  }
}
