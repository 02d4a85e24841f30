import { useEffect, useState } from 'react'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { DRILL_SCENARIOS, DrillDatabase, currentDrill, type DrillScenario } from '../../offline/store/drill.ts'
import { SELECT } from '../../ui/form/SelectField.tsx'
import { useRootClass } from '../../ui/useRootClass.ts'
import './drill.css'

const LABELS: Record<DrillScenario, string> = {
  offline: 'Offline',
  slow: 'Slow connection',
  captive: 'Login page of a Wi-Fi',
  lostAnswer: 'Lost answers',
}

const MINUTES = 10

const database = new DrillDatabase()

const end = () => database.drill.clear()

const start = (scenario: DrillScenario) =>
  database.drill.put({ id: 'now', scenario, until: Date.now() + MINUTES * 60_000 })

/**
 * A strip on every screen of a build with the drill, also at the counter and on /login. It says that this is not the real portal,
 * and starts and ends an outage on the tested screen.
 */
export function DrillStrip() {
  const [overs, setOvers] = useState(0)
  const drill = useLiveQuery(() => currentDrill(database), `drill/${overs}`)
  useRootClass('has-banner', true)
  useEffect(() => {
    if (!drill) return undefined
    const timer = setTimeout(() => setOvers((count) => count + 1), drill.until - Date.now())
    return () => clearTimeout(timer)
  }, [drill])
  const choose = (value: string) => {
    const scenario = DRILL_SCENARIOS.find((name) => name === value)
    void (scenario ? start(scenario) : end())
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
              {`${LABELS[scenario]}, for ${MINUTES} minutes`}
            </option>
          ))}
        </select>
      </div>
    </section>
  )
}
