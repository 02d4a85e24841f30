import { call } from '../../api/call.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { needsConnection, useOffline } from '../../blocks/connectivity/useOffline.ts'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { runAction } from '../../blocks/record/runAction.ts'
import { BranchField } from '../../blocks/reference-lists/ReferenceListFields.tsx'
import { DaysFilter, ListFilters, filterField, reversedDays } from '../../blocks/tables/ListFilters.tsx'
import { ListSearch } from '../../blocks/tables/ListSearch.tsx'
import { hasNoRow, ExportButton } from '../../blocks/tables/ListTools.tsx'
import type { ListState } from '../../blocks/tables/RecordList.ts'
import { RecordTable } from '../../blocks/tables/RecordTable.tsx'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import { reviewLoss, type LossRow } from '../../contract/redemptions/losses.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { LOSS_LIST } from './lossList.tsx'

const STATES = [
  { value: '', label: 'All' },
  { value: 'lost', label: 'Lost' },
  { value: 'to review', label: 'To review' },
  { value: 'reviewed', label: 'Reviewed' },
]

/** What tills accepted without a check and nobody is paid for. */
export function LossesPage({ state, onState }: ListState<'loss'>) {
  usePageTitle('Losses')
  const { type } = useUser()
  const mayReview = usePermission('pos', 'edit')
  const read = useRecordList(LOSS_LIST, state)
  const offline = useOffline()
  const filter = filterField({ state, onState })
  return (
    <>
      <PageHeader
        back={<BackLink to="/reports">Reports</BackLink>}
        title="Losses"
        note="Vouchers that tills accepted without a check and that you were not paid for. They are in no other report."
      />
      <ListFilters
        {...{ list: LOSS_LIST, state, onState }}
        tools={<ExportButton endpoint={LOSS_LIST.exportAs} query={read.query} nothing={hasNoRow(read)} />}
      >
        <ListSearch label="Serial number" q={state.q} onSearch={(q) => onState({ q, page: 1 }, true)} />
        <SelectField label="State" options={STATES} {...filter('state')} />
        {/* All that a branch sees is its own. */}
        {type !== 'Branch Merchant' && <BranchField {...filter('branch')} />}
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
        {...{ state, onState, read }}
        empty={NO_LOSS}
        noMatch={{ title: 'No loss matches', ...reversedDays(state.filter.from, state.filter.to) }}
        rowMenu={(row) =>
          mayReview && row.reviewed_at === null
            ? needsConnection(offline, [{ label: 'Mark as reviewed', onSelect: () => void review(row, read.retry) }])
            : []
        }
      />
    </>
  )
}

/** Nothing is lost by it, so nothing is asked. */
async function review({ guid }: LossRow, onDone: () => void): Promise<void> {
  const run = () => call(reviewLoss, { params: { id: guid } })
  if (await runAction({ run, done: 'Marked as reviewed' })) onDone()
}

const NO_LOSS = (
  <EmptyState icon={ICONS.ok} title="No losses" text="What a till accepts without a check and loses appears here." />
)
