import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import type { ReportRequest } from '../../contract/reports/report.ts'
import { Button, TAB, TabLinks } from '../../ui/Button.tsx'
import { DRAWINGS } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Panel, Split } from '../../ui/Panel.tsx'
import { Preview } from './Preview.tsx'
import { ReportForm } from './ReportForm.tsx'
import { REPORT_KINDS, type ReportKind, type ReportValues } from './reportKinds.tsx'
import { useReportForm } from './useReportForm.ts'

/** Shows the form at the left and the preview at the right. Paper shows the choices of the form as text. */
export function ReportPage({ name }: { name: ReportKind['name'] }) {
  const kind = REPORT_KINDS[name]
  usePageTitle(kind.title)
  const report = useReportForm(kind)
  return (
    <>
      <PageHeader
        title={kind.title}
        note={kind.note}
        actions={
          <Button className="phone:hidden" onClick={() => print()}>
            Print
          </Button>
        }
      />
      <TabLinks label="Reports">
        {Object.values(REPORT_KINDS).map((each) => (
          <Link className={TAB} key={each.name} to="/reports/$report" params={{ report: `${each.name}-report` }}>
            {each.title}
          </Link>
        ))}
      </TabLinks>
      <Split columns="form">
        <ReportForm kind={kind} report={report} />
        <PreviewPanel kind={kind} values={report.form.values} />
      </Split>
    </>
  )
}

/** The preview asks the server after this pause in typing. */
const SETTLE_MS = 300

/** Shows the content of the file while the form is valid. */
function PreviewPanel({ kind, values }: { kind: ReportKind; values: ReportValues }) {
  const settled = useSettled(JSON.stringify(requestOf(kind, values)))
  const request = JSON.parse(settled) as ReportRequest | null
  if (request) return <Preview request={request} />
  return (
    <Panel title="Preview">
      <EmptyState
        drawing={DRAWINGS.empty}
        title="No preview"
        text="Choose a valid period to see what the file will contain."
      />
    </Panel>
  )
}

function requestOf(kind: ReportKind, values: ReportValues): ReportRequest | null {
  const parsed = v.safeParse(kind.schema, values)
  return parsed.success ? parsed.output : null
}

/** Returns `value` when it has not changed for SETTLE_MS, until then the value before. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const pause = setTimeout(() => setSettled(value), SETTLE_MS)
    return () => clearTimeout(pause)
  }, [value])
  return settled
}
