import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import type { ReportPreviewRequest } from '../../contract/reports/reportPreview.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Preview } from './Preview.tsx'
import { ReportForm } from './ReportForm.tsx'
import type { ReportKind, ReportValues } from './ReportKind.ts'
import { REPORT_KINDS } from './reportKinds.tsx'
import { useReportForm } from './useReportForm.ts'

/** The form at the left, the preview at the right. */
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

/** The server is asked after a pause in typing, not with every key. */
const SETTLE_MS = 300

/** What the file will contain, while the form is valid. */
function PreviewPanel({ kind, values }: { kind: ReportKind; values: ReportValues }) {
  const settled = useSettled(JSON.stringify(previewRequest(kind, values) ?? null))
  const request = JSON.parse(settled) as ReportPreviewRequest | null
  if (request) return <Preview request={request} />
  return (
    <Panel title="Preview">
      <EmptyState icon="chart" title="Nothing to show for this period" text={previewHint(kind, values)} />
    </Panel>
  )
}

/** The same for every file format, so that a change of format loads nothing. */
function previewRequest(kind: ReportKind, values: ReportValues): ReportPreviewRequest | undefined {
  const parsed = v.safeParse(kind.schema, { ...values, format: 'csv' })
  return parsed.success ? parsed.output : undefined
}

const previewHint = ({ longest }: ReportKind, values: ReportValues) =>
  longest?.split(values)
    ? `A preview holds at most ${longest.words}. Choose a shorter period to see it, or download it in parts.`
    : 'Choose a period to see what the file will hold.'

/** `value` once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const pause = setTimeout(() => setSettled(value), SETTLE_MS)
    return () => clearTimeout(pause)
  }, [value])
  return settled
}
