import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../api/call.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { useNotices } from '../../blocks/notices/NoticeBell.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { Dashboard, readDashboard } from '../../contract/dashboard.ts'
import { formatLongDay, formatTime } from '../../domain/singaporeTime.ts'
import { useCachedRead, type CachedRead } from '../../offline/reads/useCachedRead.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { useReturnToPage } from '../../ui/usePageVisible.ts'
import { DashboardFigures } from './DashboardFigures.tsx'

/** The start page of a merchant: today's figures, a comparison, and notices. */
export function DashboardPage() {
  usePageTitle('Dashboard')
  const read = useDashboard()
  const mayViewActivity = usePermission('activity', 'view')
  const { data, phase } = read
  const notices = useNotices()
  const reloadNotices = useEffectEvent(() => {
    if (notices.phase === 'ready') notices.retry()
  })
  // A notice may have been dealt with on another page.
  useEffect(() => reloadNotices(), [])
  const reload = () => {
    read.retry()
    notices.retry()
  }
  return (
    <>
      <PageHeader
        title="Dashboard"
        note={data ? describeAsOf(data) : '\u00a0'}
        actions={
          <>
            <Button variant="quiet" icon={ICONS.refresh} busy={phase === 'refreshing'} onClick={reload}>
              Reload figures
            </Button>
            {mayViewActivity && (
              <Link to="/activity" className={buttonClass()}>
                <Icon drawing={ICONS.clock} />
                Activity
              </Link>
            )}
            <Link to="/reports/$report" params={{ report: 'transaction-report' }} className={buttonClass()}>
              Transaction Report
            </Link>
          </>
        }
      />
      <RecordRead read={read} what="The dashboard">
        {(figures) => <DashboardFigures figures={figures} onStep={read.retry} />}
      </RecordRead>
    </>
  )
}

function describeAsOf({ as_of }: Dashboard): string {
  const at = new Date(as_of)
  return `${formatLongDay(at)}, up to ${formatTime(at)}`
}

/** Figures of this age or less are not loaded again after a look at another tab. */
const FRESH_FOR_MS = 30_000

/** Reads the figures that this person may see, and again when the tab comes back into view. Works offline. */
function useDashboard(): CachedRead<Dashboard> {
  const { guid } = useUser()
  const read = useCachedRead(guid, 'dashboard', Dashboard, (signal) => call(readDashboard, { signal }))
  useReturnToPage(() => {
    const age = Date.now() - (read.asOf?.getTime() ?? 0)
    if (age > FRESH_FOR_MS) read.retry()
  })
  return read
}
