import { call } from '../../api/call.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { useCurrentMinute } from '../../blocks/cached/useCurrentMinute.ts'
import { needsConnection, useOffline } from '../../blocks/connectivity/useOffline.ts'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { runAction } from '../../blocks/record/runAction.ts'
import { BranchField } from '../../blocks/reference-lists/ReferenceListFields.tsx'
import { ColumnMenu } from '../../blocks/tables/ColumnMenu.tsx'
import { DaysFilter, isNarrowed, ListFilters, UNFILTERED } from '../../blocks/tables/ListFilters.tsx'
import { ListSearch } from '../../blocks/tables/ListSearch.tsx'
import { ExportButton, hasNoRow } from '../../blocks/tables/ListTools.tsx'
import type { ChangeTableState } from '../../blocks/tables/RecordList.ts'
import { RecordTable } from '../../blocks/tables/RecordTable.tsx'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import {
  LossSums,
  lossSums,
  readConcerns,
  reviewLoss,
  type Concern,
  type LossRow,
} from '../../contract/redemptions/losses.ts'
import { isMainAccount } from '../../domain/accounts/permissions.ts'
import { concernWords } from '../../domain/devices/allowance.ts'
import { formatCents } from '../../domain/money.ts'
import { pluralize } from '../../domain/quantities.ts'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Figures, Item, Panel, Stack } from '../../ui/Panel.tsx'
import { LOSS_LIST, type LossColumn, type LossFilter, type LossTableState } from './lossList.tsx'

interface Props {
  state: LossTableState
  onState: ChangeTableState<LossColumn, LossFilter>
}

const STATES = [
  { value: '', label: 'All' },
  { value: 'lost', label: 'Lost' },
  { value: 'to review', label: 'To review' },
  { value: 'reviewed', label: 'Reviewed' },
]

/** What tills accepted without a check and nobody is paid for: figures, what may be fraud, and each voucher. */
export function LossesPage({ state, onState }: Props) {
  usePageTitle('Losses')
  const { type } = useUser()
  const mayReview = usePermission('pos', 'edit')
  const read = useRecordList(LOSS_LIST, state)
  const offline = useOffline()
  const filter = (name: LossFilter) => ({
    value: state.filter[name] ?? '',
    onChange: (value: string) => onState({ filter: { ...state.filter, [name]: value }, page: 1 }),
  })
  return (
    <>
      <PageHeader
        back={<BackLink to="/reports">Reports</BackLink>}
        title="Losses"
        note="Vouchers that tills accepted without a check and that you were not paid for. They are in no other report."
      />
      <Stack apart className="mb-6">
        <Sums />
        {isMainAccount(type) && <Concerns />}
      </Stack>
      <ListFilters
        {...{ list: LOSS_LIST, state, onState }}
        views="loss"
        tools={
          <>
            <ColumnMenu list={LOSS_LIST} view={state.view} />
            <ExportButton endpoint={LOSS_LIST.exportAs} query={read.query} nothing={hasNoRow(read)} />
          </>
        }
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
        empty={<NoLosses narrowed={isNarrowed(state)} onClear={() => onState(UNFILTERED)} />}
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

function Sums() {
  const { guid } = useUser()
  const read = useCachedRead(guid, 'loss/sums', LossSums, (signal) => call(lossSums, { signal }))
  return (
    <RecordRead read={read} what="This summary">
      {({ redeemed, lost, to_review, waiting }) => (
        <Figures
          figures={[
            ['Lost', formatCents(lost.cents), `${pluralize(lost.count, 'voucher')}, last 30 days`],
            ['Refused, to review', formatCents(to_review.cents), pluralize(to_review.count, 'voucher')],
            ['Redeemed after all', formatCents(redeemed.cents), pluralize(redeemed.count, 'voucher')],
            [
              'Not decided yet',
              formatCents(waiting.cents),
              `${pluralize(waiting.count, 'voucher')}, on hold elsewhere`,
            ],
          ]}
        />
      )}
    </RecordRead>
  )
}

/** For the main account alone: what is listed here names other branches. */
function Concerns() {
  const { guid } = useUser()
  const read = useCachedRead(guid, 'allowance/concerns', readConcerns.answer, (signal) =>
    call(readConcerns, { signal }),
  )
  return (
    <Panel title="Look at these">
      <RecordRead read={read} what="This list" inPanel>
        {({ concerns }) =>
          concerns.length === 0 ? (
            <p className="p-4 text-muted">There is nothing to look at from the last 30 days.</p>
          ) : (
            <ul>
              {concerns.map((concern) => (
                <ConcernItem key={`${concern.kind} ${concern.at} ${concernWords(concern).text}`} concern={concern} />
              ))}
            </ul>
          )
        }
      </RecordRead>
    </Panel>
  )
}

function ConcernItem({ concern }: { concern: Concern }) {
  const { title, text } = concernWords(concern)
  const now = useCurrentMinute()
  return (
    <Item mark={<Icon drawing={ICONS.alert} />}>
      <b className="font-strong">{title}</b>
      <p className="text-muted">
        <span>{`${text} `}</span>
        <time dateTime={concern.at}>{formatAsOf(new Date(concern.at), now)}</time>
      </p>
    </Item>
  )
}

function NoLosses({ narrowed, onClear }: { narrowed: boolean; onClear: () => void }) {
  if (!narrowed)
    return (
      <EmptyState
        icon={ICONS.ok}
        title="No losses"
        text="What a till accepts without a check and loses appears here."
      />
    )
  return (
    <EmptyState icon={ICONS.search} title="No loss matches" actions={<Button onClick={onClear}>Clear search</Button>} />
  )
}
