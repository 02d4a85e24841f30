import { isDown, type ConnectivityVerdict, type Probed } from '../../domain/connectivity.ts'

/** The facts about the connection between two contacts. Times are milliseconds of this device's clock. */
export interface ConnectivityRecord {
  verdict: ConnectivityVerdict
  since: number
  captive: boolean
  /** The unbroken run of answers or failures that includes the last contact. */
  run: { isAnswered: boolean; since: number }
  /** The number of late answers in a row. */
  late: number
}

export const INITIAL_RECORD: ConnectivityRecord = {
  verdict: 'online',
  since: 0,
  captive: false,
  run: { isAnswered: true, since: 0 },
  late: 0,
}

/** A shorter failure is a blip. Another one may follow soon. */
export const BLIP_MS = 5_000
/** After a blip the connection counts as back when it has been stable for this long. */
export const RETURN_MS = 3_000
/** One late answer may be a busy moment. Two in a row mean a slow connection. */
const LATE_MEANS_SLOW = 2

export interface Circumstances {
  now: number
  /** navigator.onLine. It only tells whether the network or the server is silent. */
  onLine: boolean
  /** True if the user has pressed "Try now". An answer then ends even a blip at once. */
  isAskedFor: boolean
}

/**
 * Returns the record after a contact. The first failure means that the connection is down. The first answer ends an outage, but a
 * blip ends only after RETURN_MS of answers.
 */
export function judgeConnectivity(
  record: ConnectivityRecord,
  contact: Probed['contact'],
  circumstances: Circumstances,
): ConnectivityRecord {
  return contact === 'ours' || contact === 'late'
    ? recordAnswer(record, contact === 'late', circumstances)
    : recordFailure(record, contact, circumstances)
}

function recordAnswer(
  record: ConnectivityRecord,
  isLate: boolean,
  { now, isAskedFor }: Circumstances,
): ConnectivityRecord {
  const { run } = record
  const wasOutage = !run.isAnswered && now - run.since >= BLIP_MS
  const next = {
    ...record,
    captive: false,
    run: run.isAnswered ? run : { isAnswered: true, since: now },
    late: isLate ? record.late + 1 : 0,
  }
  const isStable = now - next.run.since >= RETURN_MS
  if (isDown(record.verdict) && !wasOutage && !isAskedFor && !isStable) return { ...next, captive: record.captive }
  return changeVerdict(next, next.late >= LATE_MEANS_SLOW ? 'slow' : 'online', now)
}

function recordFailure(
  record: ConnectivityRecord,
  contact: Probed['contact'],
  { now, onLine }: Circumstances,
): ConnectivityRecord {
  const run = record.run.isAnswered ? { isAnswered: false, since: now } : record.run
  const isNetwork = contact === 'foreign' || (contact === 'silent' && !onLine)
  const next = { ...record, run, late: 0, captive: contact === 'foreign' }
  return changeVerdict(next, isNetwork ? 'offline' : 'unreachable', now)
}

/** An outage that changes its kind stays one outage, with the same beginning. */
function changeVerdict(record: ConnectivityRecord, verdict: ConnectivityVerdict, now: number): ConnectivityRecord {
  const isSameState = record.verdict === verdict || (isDown(record.verdict) && isDown(verdict))
  return { ...record, verdict, since: isSameState ? record.since : now }
}
