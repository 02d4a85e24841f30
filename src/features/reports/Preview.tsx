import { CachedStrip } from '../../blocks/cached/CachedStrip.tsx'
import { LoadError } from '../../blocks/TableTrouble.tsx'
import type { ReportPreview, ReportPreviewRequest } from '../../contract/reports/reportPreview.ts'
import { pluralize, formatCount } from '../../domain/counted.ts'
import { formatCents } from '../../domain/money.ts'
import { reportPeriod } from '../../domain/reports.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { PreviewSkeleton } from './PreviewBones.tsx'
import { PreviewChart } from './PreviewChart.tsx'
import { PreviewRows } from './PreviewRows.tsx'
import { useReportPreview } from './useReportPreview.ts'

/** One request's preview in each of its states: on its way, failed, as of some time ago, empty, here. */
export function Preview({ request }: { request: ReportPreviewRequest }) {
  const read = useReportPreview(request)
  const { data, phase, error, retry } = read
  return (
    <Panel title="Preview" className="preview" action={data && <Total {...data.total} />}>
      {phase === 'refreshing' && <ProgressBar className="refreshing" label="Refreshing the preview" />}
      <CachedStrip what="preview" read={read} />
      {phase === 'failed' && <LoadError what="This preview" error={error} onRetry={retry} />}
      {phase === 'loading' && <PreviewSkeleton />}
      {data && <Content preview={data} request={request} />}
      <div className="hide" role="status">
        {data && phase === 'ready' && `Preview: ${totalText(data.total)}`}
      </div>
    </Panel>
  )
}

function Content({ preview, request }: { preview: ReportPreview; request: ReportPreviewRequest }) {
  if (preview.row_count === 0) {
    return (
      <EmptyState
        icon="chart"
        title="No voucher was redeemed"
        text="There is none in this period with these filters. Choose another period or fewer filters."
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
      <b className="strong">{formatCount(count)}</b> {count === 1 ? 'voucher' : 'vouchers'} ·{' '}
      <b className="strong">{formatCents(cents)}</b>
    </span>
  )
}
