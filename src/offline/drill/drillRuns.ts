import type { DrillScenario } from '../../domain/devices/drill.ts'
import { useLiveQuery } from '../storage/useLiveQuery.ts'
import { DrillDatabase, drillNow, lastDrillRun, type DrillRun, type StoredDrillEvent } from '../store/drill.ts'

let opened: DrillDatabase | undefined

/** The notebook of the outage drill, opened for this tab. */
export const drillStore = (): DrillDatabase => (opened ??= new DrillDatabase())

/** Turns a fault on, in place of the one that was. It stays on over reloads and logouts until it is ended. */
export async function startDrill(scenario: DrillScenario): Promise<void> {
  const store = drillStore()
  await store.transaction('rw', store.runs, async () => {
    await endDrill()
    await store.runs.add({ id: crypto.randomUUID(), scenario, startedAt: drillNow() })
  })
}

/** Turns the fault off; what the app does next is still noted, since getting back on its feet is half of the drill. */
export async function endDrill(): Promise<void> {
  const store = drillStore()
  await store.transaction('rw', store.runs, async () => {
    const run = await lastDrillRun(store)
    if (run && run.endedAt === undefined) await store.runs.update(run.id, { endedAt: drillNow() })
  })
}

/** Everything noted goes, and no fault stays on. */
export async function forgetDrills(): Promise<void> {
  const store = drillStore()
  await store.transaction('rw', store.runs, store.events, async () => {
    await store.events.clear()
    await store.runs.clear()
  })
}

/** Newest first; `undefined` until the notebook is read. */
export const useDrillRuns = (): DrillRun[] | undefined =>
  useLiveQuery(() => drillStore().runs.orderBy('startedAt').reverse().toArray(), 'drill/runs')

export const useDrillEvents = (run: string): StoredDrillEvent[] | undefined =>
  useLiveQuery(() => drillStore().events.where({ run }).sortBy('number'), `drill/events/${run}`)
