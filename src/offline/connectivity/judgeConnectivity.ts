import { isDown, type ConnectivityVerdict, type Probed } from '../../domain/connectivity.ts'

/** The memory of the connection from one contact to the next. Times are milliseconds of this device's clock. */
export interface ConnectivityRecord {
  verdict: ConnectivityVerdict
  since: number
  captive: boolean
  /** The unbroken run of answers or failures that includes the last contact. */
  run: { answers: boolean; since: number }
  /** The number of late answers in a row. */
  late: number
}

export const INITIAL_RECORD: ConnectivityRecord = {
  verdict: 'online',
  since: 0,
  captive: false,
  run: { answers: true, since: 0 },
  late: 0,
}

/** Shorter failures may be a blip, and another one may follow. */
export const BLIP_MS = 5_000
/** After a blip the connection counts as back once it has been stable for this long. */
export const RETURN_MS = 3_000
/** One late answer is a busy moment, two in a row are a slow connection. */
const LATE_MEANS_SLOW = 2

export interface Circumstances {
  now: number
  /** navigator.onLine: only used to tell silence of the network from silence of our service. */
  onLine: boolean
  /** True when the user asked and waits for the answer: the answer counts at once. */
  asked: boolean
}

/** A failed contact means down at once. An answer ends an outage at once; a blip ends when the connection has been stable for a while. */
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
  const isStable = now - next.run.since >= RETURN_MS
  if (isDown(record.verdict) && !isOutage && !asked && !isStable) return { ...next, captive: record.captive }
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

/** A change from one kind of outage to another is the same outage, with the same beginning. */
function turned(record: ConnectivityRecord, verdict: ConnectivityVerdict, now: number): ConnectivityRecord {
  const goesOn = record.verdict === verdict || (isDown(record.verdict) && isDown(verdict))
  return { ...record, verdict, since: goesOn ? record.since : now }
}
