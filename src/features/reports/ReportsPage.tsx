import { Link } from '@tanstack/react-router'
import { usePageTitle } from '../../blocks/usePageTitle.ts'
import { Icon } from '../../ui/Icon.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { dailyReportKind } from './dailyReportKind.tsx'
import { monthlyReportKind } from './monthlyReportKind.tsx'
import { transactionReportKind } from './transactionReportKind.tsx'

const REPORTS = [
  { kind: transactionReportKind, path: '/reports/transaction-report' },
  { kind: monthlyReportKind, path: '/reports/monthly-report' },
  { kind: dailyReportKind, path: '/reports/daily-report' },
] as const

export function ReportsPage() {
  usePageTitle('Reports')
  return (
    <>
      <PageHeader title="Reports" note="Reports are prepared as files and wait for you under Downloads." />
      <section className="panel">
        <ul className="todo">
          {REPORTS.map(({ kind, path }) => (
            <li key={path}>
              <Icon name="chart" />
              <div>
                <Link to={path}>{kind.title}</Link>
                <p>{kind.note}</p>
              </div>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
