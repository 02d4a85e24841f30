import { call } from '../../api/call.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { CachedStrip, LoadError } from '../../blocks/cached/CachedStrip.tsx'
import { reportPreview, ReportPreview, type ReportPreviewRequest } from '../../contract/reports/reportPreview.ts'
import { formatCents } from '../../domain/money.ts'
import { formatCount, pluralize } from '../../domain/quantities.ts'
import { reportPeriod } from '../../domain/reports.ts'
import { readKey } from '../../offline/reads/cachedRead.ts'
import { useCachedRead, type CachedRead } from '../../offline/reads/useCachedRead.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Facts, Panel, Stack } from '../../ui/Panel.tsx'
import { ProgressBar, Skeleton } from '../../ui/ProgressBar.tsx'
import { PreviewChart } from './PreviewChart.tsx'
import { PreviewRows } from './PreviewRows.tsx'
import { namesOf } from './useReportForm.ts'

interface Props {
  request: ReportPreviewRequest
  /** How many reports the period takes: the preview is of the first. */
  parts: number
}

/** At the upper edge, and only after 200 ms. */
const LATE_BAR = 'absolute inset-x-0 top-0 h-[2px] animate-[late_200ms_step-end] rounded-none'

/** The preview of one request in each of its states: loading, failed, stored some time ago, empty, loaded. */
export function Preview({ request, parts }: Props) {
  const read = useReportPreview(request)
  const { data, phase, error, retry } = read
  return (
    <>
      <PrintedHead request={request} />
      <Panel title="Preview" className="preview relative print:border-0" action={data && <Total {...data.total} />}>
        {phase === 'refreshing' && <ProgressBar className={LATE_BAR} label="Refreshing the preview" />}
        {parts > 1 && (
          <p className="border-b border-border px-4 py-3" role="note">
            The first of {parts} parts: {reportPeriod(request)}. The download has the whole period.
          </p>
        )}
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

/** On paper the form is not there: what it says stands above the preview. */
function PrintedHead({ request }: { request: ReportPreviewRequest }) {
  const { guid } = useUser()
  const { branch_guid: branch, pos_guid: pos } = request.params
  // The list of names may be stored after the preview is shown.
  const names = useLiveQuery(() => namesOf(guid, [request]), JSON.stringify(request))
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

function Content({ preview, request }: { preview: ReportPreview; request: ReportPreviewRequest }) {
  if (preview.row_count === 0) {
    return (
      <EmptyState icon={ICONS.chart} title="No voucher was redeemed" text="Choose another period or fewer filters." />
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
      <b className="font-strong">{formatCount(count)}</b> {count === 1 ? 'voucher' : 'vouchers'} ·{' '}
      <b className="font-strong">{formatCents(cents)}</b>
    </span>
  )
}

/** Skeleton with the final layout, so nothing jumps: a chart, then rows. */
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

/** What a report would contain. Without a connection, what this device stored for the same request. */
function useReportPreview(request: ReportPreviewRequest): CachedRead<ReportPreview> {
  const { guid } = useUser()
  return useCachedRead(guid, readKey('report.preview', request), ReportPreview, (signal) =>
    call(reportPreview, { body: request, signal }),
  )
}
