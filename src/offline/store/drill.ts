import { Dexie, type Table } from 'dexie'
import type { DrillEvent, DrillScenario } from '../../domain/devices/drill.ts'

/** One run of the outage drill. Times are milliseconds of `drillNow`. */
export interface DrillRun {
  id: string
  scenario: DrillScenario
  startedAt: number
  /** While it is missing, the fault is on. */
  endedAt?: number
}

export type StoredDrillEvent = DrillEvent & { number?: number; run: string; at: number }

const DRILL_DATABASE = 'mp-drill'

/** What a tester's runs of the outage drill did. Page and worker both write; only builds with the drill open it. */
export class DrillDatabase extends Dexie {
  runs!: Table<DrillRun, string>
  events!: Table<StoredDrillEvent, number>

  constructor() {
    super(DRILL_DATABASE)
    this.version(1).stores({ runs: 'id, startedAt', events: '++number, run' })
  }
}

/** Real time even while the drill sets the clock wrong: the origin of this page or worker, plus what has passed since. */
export const drillNow = (): number => Math.round(performance.timeOrigin + performance.now())

/** The latest run, over or not. */
export const lastDrillRun = (database: DrillDatabase): Promise<DrillRun | undefined> =>
  database.runs.orderBy('startedAt').last()

/** A call that began before the end of a run is told after it: the app comes back to its feet within this time. */
const AFTERMATH_MS = 2 * 60_000

/** Writes down what was seen, for the run that is on or was just now. Seen outside of any run, it is forgotten. */
export async function noteDrillEvent(database: DrillDatabase, event: DrillEvent): Promise<void> {
  const run = await lastDrillRun(database)
  if (!run || (run.endedAt !== undefined && drillNow() - run.endedAt > AFTERMATH_MS)) return
  await database.events.add({ ...event, run: run.id, at: drillNow() })
}

/**
 * Two hours behind: beyond every tolerance, and a wall clock that goes back is what a till must notice. Ahead, the limit of
 * inactivity would end the session before anything could be seen.
 */
const WRONG_BY_MS = -2 * 60 * 60_000

const RealDate = Date

const { put, add } = IDBObjectStore.prototype

let onRefused: (store: string) => void = () => undefined

/** From now on each refused write is told. */
export const onRefusedWrite = (tell: (store: string) => void): void => void (onRefused = tell)

/** Faults of the device, not of the connection: its clock and its storage, in this page or worker. Any other scenario heals both. */
export function simulateDeviceFault(scenario: DrillScenario | undefined): void {
  globalThis.Date = scenario === 'wrongClock' ? WrongDate : RealDate
  const isFull = scenario === 'fullStorage'
  IDBObjectStore.prototype.put = isFull ? refusing(put) : put
  IDBObjectStore.prototype.add = isFull ? refusing(add) : add
}

const WrongDate = new Proxy(RealDate, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [wrongNow()] : args, newTarget) as Date,
  get: (target, key) => (key === 'now' ? wrongNow : (Reflect.get(target, key) as unknown)),
})

const wrongNow = () => RealDate.now() + WRONG_BY_MS

/** The drill goes on writing down what it sees. */
function refusing<W extends typeof put>(write: W): W {
  return function (this: IDBObjectStore, ...args: Parameters<W>) {
    if (this.transaction.db.name === DRILL_DATABASE) return write.apply(this, args)
    onRefused(this.name)
    throw new DOMException('The drill says that this device is full.', 'QuotaExceededError')
  } as W
}
