import { Link } from '@tanstack/react-router'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import { tableDefaults } from '../../domain/tableState.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Box, Item } from '../../ui/Panel.tsx'
import { LOSS_LIST } from './LossesPage.tsx'
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
          <LossesItem />
        </ul>
      </Box>
    </>
  )
}

/** Offers the list of losses once it has a row. Most merchants never let a till accept vouchers without a check. */
function LossesItem() {
  const { data } = useRecordList(LOSS_LIST, tableDefaults('loss'))
  if (!data?.total) return null
  return (
    <Item mark={<Icon drawing={ICONS.alert} />}>
      <Link to="/reports/losses">Losses</Link>
      <p className="text-muted">Vouchers that tills accepted without a check and that you were not paid for.</p>
    </Item>
  )
}
