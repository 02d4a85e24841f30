import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../api/call.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { Dashboard, readDashboard } from '../../contract/dashboard.ts'
import { formatLongDay, formatTime } from '../../domain/singaporeTime.ts'
import { useCachedRead, type CachedRead } from '../../offline/reads/useCachedRead.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { DashboardFigures } from './DashboardFigures.tsx'

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

const SKELETON_LINES = ['a', 'b', 'c', 'd']

/** In the shape of what comes, from the start. */
function DashboardSkeleton() {
  return (
    <div className="figures" aria-busy="true">
      <div className="keys">
        {SKELETON_LINES.map((line) => (
          <div key={line} className="stack">
            <span className="skeleton most" />
            <span className="skeleton short" />
            <span className="skeleton most" />
          </div>
        ))}
      </div>
      <div className="split">
        <SkeletonPanel />
        <SkeletonPanel />
      </div>
    </div>
  )
}

const SkeletonPanel = () => (
  <div className="panel">
    <div className="pad stack">
      {SKELETON_LINES.map((line) => (
        <span key={line} className="skeleton most" />
      ))}
    </div>
  </div>
)

/** A glance at another tab and back is no reason to ask again. */
const FRESH_FOR_MS = 30_000

/** The figures of my scope, kept for offline; read anew whenever the tab is seen again. */
function useDashboard(): CachedRead<Dashboard> {
  const { guid } = useUser()
  const read = useCachedRead(guid, 'dashboard', Dashboard, (signal) => call(readDashboard, { signal }))
  const seen = useEffectEvent(() => {
    const age = Date.now() - (read.asOf?.getTime() ?? 0)
    if (document.visibilityState === 'visible' && age > FRESH_FOR_MS) read.retry()
  })
  useEffect(() => {
    const look = () => seen()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return read
}
