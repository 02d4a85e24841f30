import { useEffect, useState } from 'react'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { DRILL_SCENARIOS, DrillDatabase, currentDrill, type DrillScenario } from '../../offline/store/drill.ts'
import { SELECT } from '../../ui/form/SelectField.tsx'
import { useRootClass } from '../../ui/useRootClass.ts'
import './drill.css'

const SCENARIO_LABELS: Record<DrillScenario, string> = {
  offline: 'Offline',
  slow: 'Slow connection',
  captive: 'Wi-Fi login page',
  lostAnswer: 'Lost answers',
}

const DRILL_MINUTES = 10

const database = new DrillDatabase()

const endDrill = () => database.drill.clear()

const startDrill = (scenario: DrillScenario) =>
  database.drill.put({ id: 'now', scenario, until: Date.now() + DRILL_MINUTES * 60_000 })

/**
 * A strip on every screen of a build with the drill, also at the counter and on /login. It shows that this is not the
 * real portal, and starts and ends an outage.
 */
export function DrillStrip() {
  const [endedCount, setEndedCount] = useState(0)
  const drill = useLiveQuery(() => currentDrill(database), `drill/${endedCount}`)
  useRootClass('has-banner', true)
  useEffect(() => {
    if (!drill) return undefined
    const timer = setTimeout(() => setEndedCount((count) => count + 1), drill.until - Date.now())
    return () => clearTimeout(timer)
  }, [drill])
  const choose = (value: string) => {
    const scenario = DRILL_SCENARIOS.find((name) => name === value)
    void (scenario ? startDrill(scenario) : endDrill())
  }
  return (
    <section
      className={`peer flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-1 wrap-anywhere ${drill ? 'border-warn-border bg-warn-surface' : 'border-border bg-surface-sunken'}`}
      aria-labelledby="drill"
      data-banner
    >
      <h2 id="drill">Outage drill</h2>
      <div>
        <select
          className={`${SELECT} w-full`}
          aria-labelledby="drill"
          value={drill?.scenario ?? ''}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="">No outage</option>
          {DRILL_SCENARIOS.map((scenario) => (
            <option key={scenario} value={scenario}>
              {`${SCENARIO_LABELS[scenario]}, for ${DRILL_MINUTES} minutes`}
            </option>
          ))}
        </select>
      </div>
    </section>
  )
}
