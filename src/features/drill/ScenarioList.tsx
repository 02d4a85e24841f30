import { useId } from 'react'
import { DRILL_SCENARIOS, type DrillScenario } from '../../domain/drill.ts'
import { endDrill, startDrill } from '../../offline/drill/drillRuns.ts'
import { Button } from '../../ui/Button.tsx'
import { SCENARIO_LABELS } from './drillLabels.ts'

export function ScenarioList({ running }: { running: DrillScenario | undefined }) {
  return (
    <ul className="todo">
      {DRILL_SCENARIOS.map((scenario) => (
        <Scenario key={scenario} scenario={scenario} isOn={scenario === running} />
      ))}
    </ul>
  )
}

function Scenario({ scenario, isOn }: { scenario: DrillScenario; isOn: boolean }) {
  const id = useId()
  const { title, what } = SCENARIO_LABELS[scenario]
  return (
    <li className="scenario" aria-labelledby={id}>
      <div>
        <b className="strong" id={id}>
          {title}
        </b>
        <p>{what}</p>
      </div>
      <Button
        variant={isOn ? 'danger' : 'plain'}
        aria-describedby={id}
        onClick={() => void (isOn ? endDrill() : startDrill(scenario))}
      >
        {isOn ? 'End' : 'Start'}
      </Button>
    </li>
  )
}
