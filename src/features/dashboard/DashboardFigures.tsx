import { useUser } from '../../blocks/accounts/useUser.ts'
import type { Dashboard } from '../../contract/dashboard.ts'
import { AttentionPanel } from './AttentionPanel.tsx'
import { ByBranchPanel } from './BreakdownPanels.tsx'
import { ByDenominationPanel } from './ByDenominationPanel.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { KeyFigures } from './KeyFigures.tsx'
import { LatestPanel } from './LatestPanel.tsx'
import { PerDayPanel } from './PerDayPanel.tsx'

export function DashboardFigures({ figures, onChanged }: { figures: Dashboard; onChanged: () => void }) {
  const { type } = useUser()
  const begun = figures.per_day.some(({ count }) => count > 0)
  return (
    <div className="figures">
      <KeyFigures figures={figures} />
      <div className="split">
        <div className="figures">
          {begun ? <PerDayPanel perDay={figures.per_day} /> : <FirstSteps figures={figures} />}
          {begun && type !== 'Branch Merchant' && <ByBranchPanel figures={figures} />}
        </div>
        <div className="figures">
          <AttentionPanel {...{ figures, onChanged }} />
          {begun && <ByDenominationPanel figures={figures} />}
        </div>
      </div>
      {begun && <LatestPanel latest={figures.latest} />}
    </div>
  )
}
