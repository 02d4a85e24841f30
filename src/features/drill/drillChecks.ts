import type { DrillEvent, DrillFault, DrillScenario } from '../../domain/devices/drill.ts'
import type { DrillRun, StoredDrillEvent } from '../../offline/store/drill.ts'

export interface CheckResult {
  label: string
  /** Milliseconds after the start of the run. */
  afterMs: number | undefined
}

/** Each check of a run, with the time of the first event that meets it. */
export function checkRun(run: DrillRun, events: readonly StoredDrillEvent[]): CheckResult[] {
  return DRILL_CHECKS[run.scenario].map(({ label, seen }) => {
    const found = events.find((event) => seen(event, run, events))
    return { label, afterMs: found && found.at - run.startedAt }
  })
}

/** Something that a run is expected to show, and how it is recognised in the events. */
interface DrillCheck {
  label: string
  /** `all`: every event of the run. */
  seen: (event: StoredDrillEvent, run: DrillRun, all: readonly StoredDrillEvent[]) => boolean
}

type Kind = DrillEvent['kind']
const during = <K extends Kind>(kind: K, is: (event: Extract<StoredDrillEvent, { kind: K }>) => boolean) => {
  return (event: StoredDrillEvent, run: DrillRun) =>
    event.kind === kind && !isAfter(event, run) && is(event as Extract<StoredDrillEvent, { kind: K }>)
}
const isAfter = ({ at }: StoredDrillEvent, { endedAt }: DrillRun) => endedAt !== undefined && at >= endedAt

const call = (fault: DrillFault) => during('call', (event) => event.fault === fault)
const connectivityIs = (...verdicts: string[]) => during('line', ({ verdict }) => verdicts.includes(verdict))

type Call = Extract<StoredDrillEvent, { kind: 'call' }>
const HOLD = '/api/voucher/hold/'
/** Whether an earlier call lost its answer and this call repeats it. A till may also ask by the id of the hold. */
const isLostActBefore = ({ at, method, path }: Call) => {
  return (act: StoredDrillEvent) =>
    act.kind === 'call' &&
    act.fault === 'answerLost' &&
    act.at < at &&
    ((act.method === method && act.path === path) || path.startsWith(HOLD))
}

const BACK: DrillCheck = {
  label: 'After the end the app says by itself that it is online',
  seen: (event, run) => event.kind === 'line' && isAfter(event, run) && event.verdict === 'online',
}
const REACHED: DrillCheck = {
  label: 'After the end a call is answered again',
  seen: (event, run) => event.kind === 'call' && isAfter(event, run) && event.fault === 'none' && event.status === 200,
}

/** In the order in which they should come. */
const DRILL_CHECKS: Record<DrillScenario, readonly DrillCheck[]> = {
  offline: [
    { label: 'A call is cut', seen: call('cut') },
    { label: 'The app says that there is no connection', seen: connectivityIs('offline', 'unreachable') },
    REACHED,
    BACK,
  ],
  slow: [
    { label: 'A call takes more than four seconds', seen: call('delayed') },
    { label: 'The app says that the connection is slow', seen: connectivityIs('slow') },
    REACHED,
    BACK,
  ],
  captive: [
    { label: 'A page of somebody else answers in the place of the server', seen: call('replaced') },
    {
      label: 'The app does not take it for an answer, and says that there is no connection',
      seen: connectivityIs('offline'),
    },
    REACHED,
    BACK,
  ],
  errors: [
    { label: 'A call is answered with 500', seen: during('call', ({ status }) => status === 500) },
    { label: 'The app says that the service does not answer', seen: connectivityIs('unreachable') },
    REACHED,
    BACK,
  ],
  lostAnswer: [
    { label: 'Something is carried out, and its answer lost', seen: call('answerLost') },
    {
      label: 'The app asks what became of it, or asks again',
      seen: (event, _, all) => event.kind === 'call' && event.status === 200 && all.some(isLostActBefore(event)),
    },
  ],
  wrongClock: [
    { label: 'The server answers a device whose clock is wrong', seen: during('call', ({ status }) => status === 200) },
    { label: 'The app finds that its clock is off', seen: during('clock', ({ offMs }) => Math.abs(offMs) > 60_000) },
  ],
  fullStorage: [
    { label: 'The device refuses to keep something', seen: during('writeRefused', () => true) },
    { label: 'The app says that the device is full', seen: during('storage', ({ trouble }) => trouble === 'full') },
  ],
  update: [
    { label: 'A new version is waiting', seen: during('update', ({ phase }) => phase === 'available') },
    { label: 'It is put off or installed', seen: during('update', ({ phase }) => phase !== 'available') },
  ],
}
