import { formatInstant } from '../../domain/singaporeTime.ts'
import type { DrillRun } from '../../offline/store/drill.ts'
import { SCENARIO_LABELS } from './drillLabels.ts'

interface RunChoiceProps {
  runs: readonly DrillRun[]
  shown: DrillRun | undefined
  onChoose: (id: string) => void
}

/** The runs of this browser, newest first. While one is on there is nothing to choose. */
export function RunChoice({ runs, shown, onChoose }: RunChoiceProps) {
  if (!shown) return null
  return (
    <select
      className="input"
      aria-label="Run"
      value={shown.id}
      disabled={shown.endedAt === undefined}
      onChange={(event) => onChoose(event.target.value)}
    >
      {runs.map(({ id, scenario, startedAt }) => (
        <option key={id} value={id}>
          {SCENARIO_LABELS[scenario].title}, {formatInstant(new Date(startedAt))}
        </option>
      ))}
    </select>
  )
}
