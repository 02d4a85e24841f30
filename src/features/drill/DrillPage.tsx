import { useId, useState } from 'react'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { DRILL_SCENARIOS, type DrillScenario } from '../../domain/devices/drill.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { endDrill, forgetDrills, startDrill, useDrillRuns } from '../../offline/drill/drillRuns.ts'
import type { DrillRun } from '../../offline/store/drill.ts'
import { confirm } from '../../state/dialogs.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SELECT } from '../../ui/form/SelectField.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Item, Panel, Split } from '../../ui/Panel.tsx'
import { SCENARIO_LABELS } from './drillLabels.ts'
import { RunRecord } from './RunRecord.tsx'

/** For testers: outages on this browser's real traffic, and how the app handled them. Builds for production leave it out. */
export function DrillPage() {
  usePageTitle('Outage drill')
  const runs = useDrillRuns()
  const [chosen, setChosen] = useState<string>()
  if (!runs) return null
  // The run that is on; else the chosen one, else the newest.
  const shown = runs.find(({ endedAt }) => endedAt === undefined) ?? runs.find(({ id }) => id === chosen) ?? runs[0]
  return (
    <>
      <PageHeader
        back={<BackLink to="/settings/device">This device</BackLink>}
        title="Outage drill"
        note="Disturbs the connection of this browser only, until you end it. Logouts and reloads do not end it."
        actions={runs.length > 0 && <ForgetRunsButton />}
      />
      <Split columns="form">
        <Panel title="Outages">
          <ScenarioList running={shown?.endedAt === undefined ? shown?.scenario : undefined} />
        </Panel>
        <Panel title="What the app did" action={<RunChoice {...{ runs, shown }} onChoose={setChosen} />}>
          {shown ? (
            <RunRecord key={shown.id} run={shown} />
          ) : (
            <EmptyState
              icon={ICONS.todo}
              title="No drill yet"
              text="Start an outage, then use the app as you always do."
            />
          )}
        </Panel>
      </Split>
    </>
  )
}

function ForgetRunsButton() {
  const ask = async () => {
    const sure = await confirm({
      title: 'Forget all runs?',
      consequence: 'Their records are deleted, and an outage that is on ends. Save the reports you need first.',
      act: 'Forget all runs',
      wayOut: 'Keep them',
      destructive: true,
    })
    if (sure) await forgetDrills()
  }
  return <Button onClick={() => void ask()}>Forget all runs</Button>
}

interface RunChoiceProps {
  runs: readonly DrillRun[]
  shown: DrillRun | undefined
  onChoose: (id: string) => void
}

/** The runs of this browser, newest first. While one is on there is nothing to choose. */
function RunChoice({ runs, shown, onChoose }: RunChoiceProps) {
  if (!shown) return null
  return (
    <div className="max-w-[60%] phone:max-w-full">
      <select
        className={`${SELECT} w-full`}
        aria-label="Run"
        value={shown.id}
        disabled={shown.endedAt === undefined}
        onChange={(event) => onChoose(event.target.value)}
      >
        {runs.map(({ id, scenario, startedAt }) => (
          <option key={id} value={id}>
            {`${SCENARIO_LABELS[scenario].title}, ${formatInstant(new Date(startedAt))}`}
          </option>
        ))}
      </select>
    </div>
  )
}

function ScenarioList({ running }: { running: DrillScenario | undefined }) {
  return (
    <ul>
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
    <Item
      look="words"
      aria-labelledby={id}
      actionBelow
      action={
        <Button
          variant={isOn ? 'danger' : 'plain'}
          aria-describedby={id}
          onClick={() => void (isOn ? endDrill() : startDrill(scenario))}
        >
          {isOn ? 'End' : 'Start'}
        </Button>
      }
    >
      <b className="font-strong" id={id}>
        {title}
      </b>
      <p className="text-muted">{what}</p>
    </Item>
  )
}
