import { useState } from 'react'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { useDrillRuns } from '../../offline/drill/drillRuns.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ForgetRunsButton } from './ForgetRuns.tsx'
import { RunChoice } from './RunChoice.tsx'
import { RunRecord } from './RunRecord.tsx'
import { ScenarioList } from './ScenarioList.tsx'

/** For testers: outages on this browser's real traffic, and what the app did about them. No build for production has it. */
export function DrillPage() {
  usePageTitle('Outage drill')
  const runs = useDrillRuns()
  const [chosen, setChosen] = useState<string>()
  if (!runs) return null
  // A run that is on is what one wants to look at; else what was chosen, else the newest.
  const shown = runs.find(({ endedAt }) => endedAt === undefined) ?? runs.find(({ id }) => id === chosen) ?? runs[0]
  return (
    <>
      <PageHeader
        back={<BackLink to="/settings/device">This device</BackLink>}
        title="Outage drill"
        note="Spoils this browser’s own traffic, and nobody else’s, until you end it. Logouts and reloads do not end it."
        actions={runs.length > 0 && <ForgetRunsButton />}
      />
      <div className="split drill">
        <Panel title="What the app did" action={<RunChoice {...{ runs, shown }} onChoose={setChosen} />}>
          {shown ? (
            <RunRecord key={shown.id} run={shown} />
          ) : (
            <EmptyState icon="todo" title="No drill yet" text="Start an outage, then use the app as you always do." />
          )}
        </Panel>
        <Panel title="Outages">
          <ScenarioList running={shown?.endedAt === undefined ? shown?.scenario : undefined} />
        </Panel>
      </div>
    </>
  )
}
