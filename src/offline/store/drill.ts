import { Dexie, type Table } from 'dexie'
import type { DrillScenario } from '../../domain/drill.ts'
import type { DrillEvent } from '../../domain/drillEvent.ts'

/** One run of the outage drill. Times are milliseconds of `drillNow`. */
export interface DrillRun {
  id: string
  scenario: DrillScenario
  startedAt: number
  /** While it is missing, the fault is on. */
  endedAt?: number
}

export type StoredDrillEvent = DrillEvent & { number?: number; run: string; at: number }

export const DRILL_DATABASE = 'mp-drill'

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
