import { createFileRoute, Navigate } from '@tanstack/react-router'
import type { ReportKind } from '../../features/reports/reportKinds.tsx'
import { ReportPage } from '../../features/reports/ReportPage.tsx'

/**
 * One route for all three reports: each further route would add the list of its files to the first screen's script. For the
 * same reason unknown names are handled by the component.
 */
export const Route = createFileRoute('/_app/reports/$report')({ component: Report })

const NAMES = new Map<string, ReportKind['name']>([
  ['transaction-report', 'transaction'],
  ['monthly-report', 'monthly'],
  ['daily-report', 'daily'],
])

function Report() {
  const name = NAMES.get(Route.useParams().report)
  return name ? <ReportPage key={name} name={name} /> : <Navigate to="/404" replace />
}
