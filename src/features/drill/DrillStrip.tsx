import { DRILL_SCENARIOS } from '../../domain/devices/drill.ts'
import { endDrill, startDrill, useDrillRuns } from '../../offline/drill/drillRuns.ts'
import { SELECT } from '../../ui/form/SelectField.tsx'
import { useRootClass } from '../../ui/useRootClass.ts'
import { SCENARIO_LABELS } from './drillLabels.ts'
import './drill.css'

/**
 * On every screen of a build with the drill, the counter and /login included. It shows that this is not the real portal, and starts
 * and ends an outage on the screen that is tested.
 */
export function DrillStrip() {
  const runs = useDrillRuns()
  useRootClass('has-banner', true)
  const on = runs?.find(({ endedAt }) => endedAt === undefined)?.scenario
  const choose = (value: string) => {
    const scenario = DRILL_SCENARIOS.find((name) => name === value)
    void (scenario ? startDrill(scenario) : endDrill())
  }
  return (
    <section
      className={`peer flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-1 wrap-anywhere ${on ? 'border-warn-border bg-warn-surface' : 'border-border bg-surface-sunken'}`}
      aria-labelledby="drill"
      data-banner
    >
      <h2 id="drill">Outage drill</h2>
      <div>
        <select
          className={`${SELECT} w-full`}
          aria-labelledby="drill"
          value={on ?? ''}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="">No outage</option>
          {DRILL_SCENARIOS.map((scenario) => (
            <option key={scenario} value={scenario}>
              {SCENARIO_LABELS[scenario].title}
            </option>
          ))}
        </select>
      </div>
    </section>
  )
}
