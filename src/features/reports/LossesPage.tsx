import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { BranchFilter } from '../../blocks/reference-lists/ReferenceListFields.tsx'
import { DaysFilter, filterField, ListFilters, reversedDays } from '../../blocks/tables/ListFilters.tsx'
import type { ListState, RecordList } from '../../blocks/tables/RecordList.ts'
import { RecordTable } from '../../blocks/tables/RecordTable.tsx'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import type { LossReason, ReviewReason } from '../../contract/redemptions/allowance.ts'
import { losses, type LossRow } from '../../contract/redemptions/losses.ts'
import { formatCents } from '../../domain/money.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { DRAWINGS } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Words } from '../../ui/Panel.tsx'

const STATES = [
  { value: '', label: 'All' },
  { value: 'lost', label: 'Lost' },
  { value: 'refused', label: 'Refused' },
]

/** Lists vouchers that tills accepted without a check and that are not paid. */
export function LossesPage({ state, onState }: ListState<'loss'>) {
  usePageTitle('Losses')
  const read = useRecordList(LOSS_LIST, state)
  const filter = filterField({ state, onState })
  return (
    <>
      <PageHeader
        back={<BackLink to="/reports">Reports</BackLink>}
        title="Losses"
        note="Vouchers that tills accepted without a check and that you were not paid for. They are in no other report."
      />
      <ListFilters search="Serial number" list={LOSS_LIST} state={state} onState={onState} read={read}>
        <SelectField label="State" options={STATES} {...filter('state')} />
        <BranchFilter {...filter('branch')} />
        <DaysFilter
          label="Accepted"
          from={['from', 'From']}
          to={['to', 'To']}
          filter={state.filter}
          onFilter={(next) => onState({ filter: next, page: 1 })}
        />
      </ListFilters>
      <RecordTable
        list={LOSS_LIST}
        state={state}
        onState={onState}
        read={read}
        empty={NO_LOSS}
        noMatch={{ title: 'No loss matches', ...reversedDays(state.filter.from, state.filter.to) }}
      />
    </>
  )
}

const NO_LOSS = (
  <EmptyState
    drawing={DRAWINGS.empty}
    title="No losses"
    text="Vouchers accepted without a check and not paid appear here."
  />
)

export const LOSS_LIST: RecordList<LossRow, 'loss'> = {
  name: 'loss',
  caption: 'Losses',
  table: losses.datatable,
  exportAs: losses.export,
  columns: [
    {
      key: 'serial',
      title: 'Serial number',
      exact: true,
      fold: 't1',
      nowrap: true,
      cell: ({ serial }) => <b className="font-strong whitespace-nowrap">{serialText(serial)}</b>,
    },
    { key: 'outcome', title: 'What happened', fold: 't2', cell: (row) => reasonText(row) },
    {
      key: 'cents',
      title: 'Amount',
      sort: 'cents',
      align: 'right',
      fold: 'v1',
      cell: ({ cents }) => formatCents(cents),
    },
    {
      key: 'accepted_at',
      title: 'Accepted',
      sort: 'accepted_at',
      nowrap: true,
      fold: 'v2',
      cell: ({ accepted_at }) => formatInstant(new Date(accepted_at)),
    },
    {
      key: 'till',
      title: 'Till',
      exact: true,
      sort: 'till',
      fold: 't3',
      cell: ({ till, branch_name }) => <Words>{`${till}, ${branch_name}`}</Words>,
    },
  ],
  rowKey: ({ guid }) => guid,
  rowName: ({ serial, till }) => `${serialText(serial)}, ${till}`,
}

const serialText = (serial: string) => (serial === '' ? 'Not readable' : formatSerial(serial))

const REASON_TEXTS: Record<LossReason | ReviewReason, string> = {
  'used elsewhere': 'Lost: used elsewhere',
  revoked: 'Lost: revoked by the programme',
  'over the limit': 'Refused: over the limit',
  'after the end': 'Refused: outside the time of the limit',
  'revoked till': 'Refused: the till was revoked',
  'not genuine': 'Refused: no such voucher of this branch',
}

const reasonText = ({ reason, used_at }: LossRow) =>
  used_at ? `${REASON_TEXTS[reason]}, ${formatInstant(new Date(used_at))}` : REASON_TEXTS[reason]
