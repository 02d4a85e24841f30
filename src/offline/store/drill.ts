import { Dexie, type Table } from 'dexie'

/** The outages that a tester can stage. */
export const DRILL_SCENARIOS = ['offline', 'slow', 'captive', 'lostAnswer'] as const

export type DrillScenario = (typeof DRILL_SCENARIOS)[number]

/** The staged outage, in one row. Times are milliseconds of the device's clock. */
interface Drill {
  id: 'now'
  scenario: DrillScenario
  until: number
}

/** Page and worker read the outage from this database, so it survives reloads and logouts. Only builds with the drill open it. */
export class DrillDatabase extends Dexie {
  drill!: Table<Drill, 'now'>

  constructor() {
    super('mp-drill')
    this.version(1).stores({ drill: 'id' })
  }
}

/** Returns the staged outage, or undefined when there is none or its time is over. */
export async function currentDrill(database: DrillDatabase): Promise<Drill | undefined> {
  const drill = await database.drill.get('now')
  return drill && drill.until > Date.now() ? drill : undefined
}
