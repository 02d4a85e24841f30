import { ApiError } from '../../api/ApiError.ts'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import type { Voucher, VoucherEvent, VoucherRow } from '../../contract/vouchers.ts'
import { formatCents } from '../../domain/money.ts'
import { formatDay, formatInstant } from '../../domain/singaporeTime.ts'
import type { CachedRead } from '../../offline/reads/useCachedRead.ts'
import { WithCopy } from '../../ui/CopyButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Box, Facts, Panel, type Fact } from '../../ui/Panel.tsx'
import { DateUsed } from './voucherList.tsx'
import { shownStatus, VoucherMark } from './VoucherMark.tsx'

interface Props {
  read: CachedRead<Voucher>
  row: VoucherRow | undefined
}

/** Everything about a voucher in my scope. About any other, no more than the table says (rule 8.4). */
export function VoucherDetail({ read, row }: Props) {
  if (read.error instanceof ApiError && read.error.code === 'NOT_FOUND') return <Elsewhere row={row} />
  if (read.data === undefined && row) {
    return (
      <>
        <VoucherFacts voucher={row} />
        <RecordRead read={read} what="Its history">
          {() => null}
        </RecordRead>
      </>
    )
  }
  return (
    <RecordRead read={read} what="This voucher">
      {(voucher) => (
        <>
          <VoucherFacts voucher={voucher} />
          {voucher.history.length > 0 && <VoucherHistory events={voucher.history} />}
        </>
      )}
    </RecordRead>
  )
}

function Elsewhere({ row }: Pick<Props, 'row'>) {
  if (!row) {
    const text = 'None of your branches has redeemed it. Look it up by its full serial number.'
    return <EmptyState icon={ICONS.search} title="No such voucher here" text={text} />
  }
  return (
    <>
      <VoucherFacts voucher={row} />
      <p className="text-muted">None of your branches has redeemed it: more than this is not shown.</p>
    </>
  )
}

function VoucherFacts({ voucher }: { voucher: VoucherRow }) {
  const facts: Fact[] = [
    ['Status', <VoucherMark key="status" status={shownStatus(voucher)} />],
    ...(voucher.held ? [['On hold at', heldText(voucher.held)] as const] : []),
    ['Denomination', formatCents(voucher.denomination_cents)],
    ['Date used', <DateUsed key="used" voucher={voucher} />],
    ...(voucher.branch_name === null ? [] : [['Branch', voucher.branch_name] as const]),
    ['Expires', formatDay(voucher.expires_on)],
  ]
  return (
    <Box>
      <Facts facts={facts} />
    </Box>
  )
}

const heldText = ({ till, since }: NonNullable<VoucherRow['held']>) =>
  `${till}, since ${formatInstant(new Date(since))}`

/** What happened to it in my scope, oldest first. A voided redemption shows as two events. */
function VoucherHistory({ events }: { events: readonly VoucherEvent[] }) {
  return (
    <Panel title="History" level="h3">
      {/* The act and its time, below it where and by whom. */}
      <ol>
        {events.map((event) => (
          <li
            key={`${event.event} ${event.receipt_number}`}
            className="grid grid-cols-[1fr_auto] gap-x-4 border-border px-4 py-3 not-first:border-t"
          >
            <b className="font-strong">{event.event}</b>
            <time dateTime={event.at}>{formatInstant(new Date(event.at))}</time>
            <span className="col-span-full text-muted wrap-anywhere">
              {event.branch_name}, {event.pos_username}, receipt{' '}
              <WithCopy what="receipt number">{event.receipt_number}</WithCopy>
            </span>
            {event.late && <LateUpload {...event.late} />}
          </li>
        ))}
      </ol>
    </Panel>
  )
}

/** Whether somebody has reviewed that it came in after its till was revoked. */
const LateUpload = ({ reviewed }: NonNullable<VoucherEvent['late']>) => (
  <span className={`col-span-full flex items-center gap-2 wrap-anywhere ${reviewed ? 'text-muted' : 'text-warn-text'}`}>
    <Icon drawing={reviewed ? ICONS.ok : ICONS.alert} small />
    Uploaded after its till was revoked.{' '}
    {reviewed ? `Reviewed ${formatInstant(new Date(reviewed.at))}, by ${reviewed.by}.` : 'Not reviewed yet.'}
  </span>
)
