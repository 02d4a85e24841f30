import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { PreviewPanel } from './PreviewPanel.tsx'
import { ReportForm } from './ReportForm.tsx'
import type { ReportKind } from './ReportKind.ts'
import { REPORT_KINDS } from './reportKinds.ts'
import { useReportForm } from './useReportForm.ts'

/** What is asked for at the left, what it will hold at the right. */
export function ReportPage({ name }: { name: ReportKind['name'] }) {
  const kind = REPORT_KINDS[name]
  usePageTitle(kind.title)
  const report = useReportForm(kind)
  return (
    <>
      <PageHeader title={kind.title} note={kind.note} back={<BackLink to="/reports">All reports</BackLink>} />
      <div className="split left report">
        <ReportForm kind={kind} report={report} />
        <PreviewPanel kind={kind} values={report.form.values} />
      </div>
    </>
  )
}
