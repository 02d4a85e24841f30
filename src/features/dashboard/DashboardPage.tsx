import { Link } from '@tanstack/react-router'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import type { Dashboard } from '../../contract/dashboard.ts'
import { formatLongDay, formatTime } from '../../domain/singaporeTime.ts'
import { Button } from '../../ui/Button.tsx'
import { buttonClass } from '../../ui/buttonClass.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { DashboardSkeleton } from './DashboardBones.tsx'
import { DashboardFigures } from './DashboardFigures.tsx'
import { useDashboard } from './useDashboard.ts'

/** What a merchant looks at first: how the day goes, how it compares, and what needs them. */
export function DashboardPage() {
  usePageTitle('Dashboard')
  const read = useDashboard()
  const { data, phase, retry } = read
  return (
    <>
      <PageHeader
        title="Dashboard"
        note={data ? upTo(data) : '\u00a0'}
        actions={
          <>
            <Button variant="quiet" icon="refresh" busy={phase === 'refreshing'} onClick={retry}>
              Reload figures
            </Button>
            <Link to="/reports/$report" params={{ report: 'transaction-report' }} className={buttonClass()}>
              Transaction Report
            </Link>
          </>
        }
      />
      {phase === 'loading' ? (
        <DashboardSkeleton />
      ) : (
        <RecordRead read={read} what="The dashboard">
          {(figures) => <DashboardFigures figures={figures} onChanged={retry} />}
        </RecordRead>
      )}
    </>
  )
}

function upTo({ as_of }: Dashboard): string {
  const at = new Date(as_of)
  return `${formatLongDay(at)}, up to ${formatTime(at)}`
}
