import { useMemo } from 'react'
import { call } from '../../api/call.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { CachedStrip, LoadError } from '../../blocks/cached/CachedStrip.tsx'
import { namesOf } from '../../blocks/downloads/requestReport.ts'
import { Money } from '../../blocks/vouchers/Money.tsx'
import type { ReportRequest } from '../../contract/reports/report.ts'
import { reportPreview, ReportPreview } from '../../contract/reports/reportPreview.ts'
import { formatCents } from '../../domain/money.ts'
import { formatCount, pluralize } from '../../domain/quantities.ts'
import { reportPeriod } from '../../domain/reports.ts'
import { formatMonth, formatShortDay, formatTime, singaporeDay } from '../../domain/singaporeTime.ts'
import { readKey } from '../../offline/reads/cachedRead.ts'
import { useCachedRead, type CachedRead } from '../../offline/reads/useCachedRead.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { Chart } from '../../ui/chart/Chart.tsx'
import { DRAWINGS } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Facts, Panel, Stack } from '../../ui/Panel.tsx'
import { ProgressBar, Skeleton } from '../../ui/ProgressBar.tsx'
import { PreviewRows } from './PreviewRows.tsx'

/** Shows the bar at the upper edge after 200 ms. */
const LATE_BAR = 'absolute inset-x-0 top-0 h-[2px] animate-[late_200ms_step-end] rounded-none'

/** Shows the preview of one request: loading, failed, stored some time ago, empty or loaded. */
export function Preview({ request }: { request: ReportRequest }) {
  const read = useReportPreview(request)
  const { data, phase, error, retry } = read
  return (
    <>
      <PrintedHead request={request} />
      <Panel
        title="Preview"
        className="relative print:border-0 print:[&>header>h2]:hidden"
        action={data && <Total {...data.total} />}
      >
        {phase === 'refreshing' && <ProgressBar className={LATE_BAR} label="Refreshing the preview" />}
        <CachedStrip what="preview" read={read} />
        {phase === 'failed' && <LoadError what="This preview" error={error} onRetry={retry} />}
        {phase === 'loading' && <PreviewSkeleton />}
        {data && <Content preview={data} request={request} />}
        <div className="sr-only" role="status">
          {data && phase === 'ready' && `Preview: ${totalText(data.total)}`}
        </div>
      </Panel>
    </>
  )
}

/** On paper, this text above the preview replaces the form. */
function PrintedHead({ request }: { request: ReportRequest }) {
  const { guid } = useUser()
  const { branch_guid: branch, pos_guid: pos } = request.params
  // The list of names may be stored after the preview is shown.
  const names = useLiveQuery(() => namesOf(guid, request), JSON.stringify(request))
  return (
    <div className="hidden print:block">
      <Facts
        facts={[
          ['Period', reportPeriod(request)],
          ['Branch', branch ? (names?.branch ?? 'One branch') : 'All branches'],
          ['POS user', pos ? (names?.posUser ?? 'One POS user') : 'All POS users'],
          ['Denomination', names?.denominationCents ? formatCents(names.denominationCents) : 'All denominations'],
        ]}
      />
    </div>
  )
}

function Content({ preview, request }: { preview: ReportPreview; request: ReportRequest }) {
  if (preview.row_count === 0) {
    return (
      <EmptyState
        drawing={DRAWINGS.empty}
        title="No voucher was redeemed"
        text="Choose another period or fewer filters."
      />
    )
  }
  return (
    <>
      <PreviewChart preview={preview} period={reportPeriod(request)} />
      <PreviewRows report={request.report} preview={preview} />
    </>
  )
}

const totalText = ({ count, cents }: ReportPreview['total']) => `${pluralize(count, 'voucher')} · ${formatCents(cents)}`

function Total({ count, cents }: ReportPreview['total']) {
  return (
    <span>
      <b className="font-strong">{formatCount(count)}</b>
      <span>{` ${count === 1 ? 'voucher' : 'vouchers'} · `}</span>
      <b className="font-strong">
        <Money cents={cents} />
      </b>
    </span>
  )
}

/** A chart, then rows, as in the loaded preview, so that nothing jumps. */
const PreviewSkeleton = () => (
  <div aria-busy="true">
    <div className="p-4">
      <Skeleton line="plot" />
    </div>
    <Stack padded>
      {['a', 'b', 'c', 'd', 'e'].map((row) => (
        <Skeleton key={row} />
      ))}
    </Stack>
  </div>
)

/** Reads the content of a report. Without a connection, it uses the stored answer to the same request. */
function useReportPreview(request: ReportRequest): CachedRead<ReportPreview> {
  const { guid } = useUser()
  return useCachedRead(guid, readKey('report.preview', request), ReportPreview, (signal) =>
    call(reportPreview, { body: request, signal }),
  )
}

/** Charts the money over time. A single bar would only repeat the total, so it is left out. */
function PreviewChart({ preview: { by_time, time_unit }, period }: { preview: ReportPreview; period: string }) {
  const points = useMemo(
    () => by_time.map(({ start, cents }) => ({ label: slotLabel(start, time_unit), value: cents })),
    [by_time, time_unit],
  )
  if (points.length < 2) return null
  return (
    <div className="p-4">
      <h3 className="mb-4">{`By ${time_unit}`}</h3>
      <Chart label={`Redeemed by ${time_unit}, ${period}`} points={points} format={formatCents} />
    </div>
  )
}

function slotLabel(start: string, unit: ReportPreview['time_unit']): string {
  const startTime = new Date(start)
  if (unit === 'hour') return formatTime(startTime)
  return unit === 'day' ? formatShortDay(startTime) : formatMonth(singaporeDay(startTime).slice(0, 7))
}
