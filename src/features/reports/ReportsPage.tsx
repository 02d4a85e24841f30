import { Link } from '@tanstack/react-router'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Box, Item } from '../../ui/Panel.tsx'
import { REPORT_KINDS } from './reportKinds.tsx'

export function ReportsPage() {
  usePageTitle('Reports')
  return (
    <>
      <PageHeader title="Reports" note="Reports are prepared as files. You find them under Downloads." />
      <Box>
        <ul>
          {Object.values(REPORT_KINDS).map(({ name, title, note }) => (
            <Item key={name} mark={<Icon drawing={ICONS.chart} />}>
              <Link to="/reports/$report" params={{ report: `${name}-report` }}>
                {title}
              </Link>
              <p className="text-muted">{note}</p>
            </Item>
          ))}
          <Item mark={<Icon drawing={ICONS.alert} />}>
            <Link to="/reports/losses">Losses</Link>
            <p className="text-muted">Vouchers that tills accepted without a check and that you were not paid for.</p>
          </Item>
        </ul>
      </Box>
    </>
  )
}
