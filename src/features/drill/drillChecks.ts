import type { DrillEvent, DrillFault, DrillScenario } from '../../domain/drill.ts'
import type { DrillRun, StoredDrillEvent } from '../../offline/store/drill.ts'

/** Something a run is expected to show, and how it is recognised among what was seen. */
interface DrillCheck {
  words: string
  /** `all`: everything that was seen. */
  seen: (event: StoredDrillEvent, run: DrillRun, all: readonly StoredDrillEvent[]) => boolean
}

type Kind = DrillEvent['kind']
const during = <K extends Kind>(kind: K, is: (event: Extract<StoredDrillEvent, { kind: K }>) => boolean) => {
  return (event: StoredDrillEvent, run: DrillRun) =>
    event.kind === kind && !isAfter(event, run) && is(event as Extract<StoredDrillEvent, { kind: K }>)
}
const isAfter = ({ at }: StoredDrillEvent, { endedAt }: DrillRun) => endedAt !== undefined && at >= endedAt

const call = (fault: DrillFault) => during('call', (event) => event.fault === fault)
const lineIs = (...verdicts: string[]) => during('line', ({ verdict }) => verdicts.includes(verdict))

type Call = Extract<StoredDrillEvent, { kind: 'call' }>
const HOLD = '/api/voucher/hold/'
/** The act whose answer was lost, and which this call repeats; a till may also ask by the id of the hold. */
const isLostActBefore = ({ at, method, path }: Call) => {
  return (act: StoredDrillEvent) =>
    act.kind === 'call' &&
    act.fault === 'answerLost' &&
    act.at < at &&
    ((act.method === method && act.path === path) || path.startsWith(HOLD))
}

const BACK: DrillCheck = {
  words: 'After the end the app says by itself that it is online',
  seen: (event, run) => event.kind === 'line' && isAfter(event, run) && event.verdict === 'online',
}
const REACHED: DrillCheck = {
  words: 'After the end a call is answered again',
  seen: (event, run) => event.kind === 'call' && isAfter(event, run) && event.fault === 'none' && event.status === 200,
}

/** In the order in which they should come. */
const DRILL_CHECKS: Record<DrillScenario, readonly DrillCheck[]> = {
  offline: [
    { words: 'A call is cut', seen: call('cut') },
    { words: 'The app says that there is no connection', seen: lineIs('offline', 'unreachable') },
    REACHED,
    BACK,
  ],
  slow: [
    { words: 'A call takes more than four seconds', seen: call('delayed') },
    { words: 'The app says that the connection is slow', seen: lineIs('slow') },
    REACHED,
    BACK,
  ],
  captive: [
    { words: 'A page of somebody else answers in the place of the server', seen: call('replaced') },
    { words: 'The app does not take it for an answer, and says that there is no connection', seen: lineIs('offline') },
    REACHED,
    BACK,
  ],
  errors: [
    { words: 'A call is answered with 500', seen: during('call', ({ status }) => status === 500) },
    { words: 'The app says that the service does not answer', seen: lineIs('unreachable') },
    REACHED,
    BACK,
  ],
  lostAnswer: [
    { words: 'Something is carried out, and its answer lost', seen: call('answerLost') },
    {
      words: 'The app asks what became of it, or asks again',
      seen: (event, _, all) => event.kind === 'call' && event.status === 200 && all.some(isLostActBefore(event)),
    },
  ],
  wrongClock: [
    { words: 'The server answers a device whose clock is wrong', seen: during('call', ({ status }) => status === 200) },
    { words: 'The app finds that its clock is off', seen: during('clock', ({ offMs }) => Math.abs(offMs) > 60_000) },
  ],
  fullStorage: [
    { words: 'The device refuses to keep something', seen: during('writeRefused', () => true) },
    { words: 'The app says that the device is full', seen: during('storage', ({ trouble }) => trouble === 'full') },
  ],
  update: [
    { words: 'A new version waits', seen: during('update', ({ phase }) => phase === 'available') },
    { words: 'It is put off or taken', seen: during('update', ({ phase }) => phase !== 'available') },
  ],
}

export interface CheckResult {
  words: string
  /** Milliseconds after the start of the run. */
  afterMs: number | undefined
}

/** Each check with the first event that fulfils it. */
export function checkRun(run: DrillRun, events: readonly StoredDrillEvent[]): CheckResult[] {
  return DRILL_CHECKS[run.scenario].map(({ words, seen }) => {
    const found = events.find((event) => seen(event, run, events))
    return { words, afterMs: found && found.at - run.startedAt }
  })
}
