import { isDown, type ConnectivityVerdict, type Probed } from '../../domain/connectivity.ts'

/** What is remembered of the connection from one contact to the next. Times are milliseconds of this device's clock. */
export interface ConnectivityRecord {
  verdict: ConnectivityVerdict
  since: number
  captive: boolean
  /** The unbroken run of answers or of failures that the last contact belongs to. */
  run: { answers: boolean; since: number }
  /** Late answers in a row. */
  late: number
}

export const UNJUDGED: ConnectivityRecord = {
  verdict: 'online',
  since: 0,
  captive: false,
  run: { answers: true, since: 0 },
  late: 0,
}

/** Failures that lasted less long may be a blip, and another one may follow. */
export const BLIP_MS = 5_000
/** After a blip the connection is believed once it has held for this long. */
export const HOLD_MS = 3_000
/** One late answer is a busy moment, two in a row are a slow connection. */
const LATE_MEANS_SLOW = 2

export interface Circumstances {
  now: number
  /** navigator.onLine: it tells silence of the network from silence of our service, and decides nothing else. */
  onLine: boolean
  /** Somebody asked and waits for the answer: it counts at once. */
  asked: boolean
}

/** A failed contact means down at once. An answer is believed at once after an outage; after a blip, once the connection holds. */
export function judgeConnectivity(
  record: ConnectivityRecord,
  contact: Probed['contact'],
  circumstances: Circumstances,
): ConnectivityRecord {
  return contact === 'ours' || contact === 'late'
    ? answered(record, contact === 'late', circumstances)
    : failed(record, contact, circumstances)
}

function answered(record: ConnectivityRecord, isLate: boolean, { now, asked }: Circumstances): ConnectivityRecord {
  const { run } = record
  const isOutage = !run.answers && now - run.since >= BLIP_MS
  const next = {
    ...record,
    captive: false,
    run: run.answers ? run : { answers: true, since: now },
    late: isLate ? record.late + 1 : 0,
  }
  const holds = now - next.run.since >= HOLD_MS
  if (isDown(record.verdict) && !isOutage && !asked && !holds) return { ...next, captive: record.captive }
  return turned(next, next.late >= LATE_MEANS_SLOW ? 'slow' : 'online', now)
}

function failed(
  record: ConnectivityRecord,
  contact: Probed['contact'],
  { now, onLine }: Circumstances,
): ConnectivityRecord {
  const run = record.run.answers ? { answers: false, since: now } : record.run
  const isNetwork = contact === 'foreign' || (contact === 'silent' && !onLine)
  const next = { ...record, run, late: 0, captive: contact === 'foreign' }
  return turned(next, isNetwork ? 'offline' : 'unreachable', now)
}

/** From one kind of outage to another it is the same outage: it began when it began. */
function turned(record: ConnectivityRecord, verdict: ConnectivityVerdict, now: number): ConnectivityRecord {
  const goesOn = record.verdict === verdict || (isDown(record.verdict) && isDown(verdict))
  return { ...record, verdict, since: goesOn ? record.since : now }
}
