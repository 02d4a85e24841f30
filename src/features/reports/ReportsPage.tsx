import { Link } from '@tanstack/react-router'
import { usePageTitle } from '../../blocks/usePageTitle.ts'
import { sidebarOf } from '../../domain/sidebar.ts'
import { useUser } from '../../blocks/useUser.ts'
import { Icon } from '../../ui/Icon.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'

export function ReportsPage() {
  usePageTitle('Reports')
  const { type } = useUser()
  const reports = sidebarOf(type).find(({ feature }) => feature === 'reports')?.children ?? []
  return (
    <>
      <PageHeader title="Reports" note="Reports are prepared as files and wait for you under Downloads." />
      <section className="panel">
        <ul className="todo">
          {reports.map(({ label, path }) => (
            <li key={path}>
              <Icon name="chart" />
              <Link to={path}>{label}</Link>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
