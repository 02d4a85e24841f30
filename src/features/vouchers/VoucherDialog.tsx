import { useRef, useState } from 'react'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { ActivityLink } from '../../blocks/activity/ActivityLink.tsx'
import { NeedsConnection } from '../../blocks/connectivity/OnlineLink.tsx'
import { needsConnection, useOffline } from '../../blocks/connectivity/useOffline.ts'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { confirmReleaseHold } from '../../blocks/vouchers/confirmReleaseHold.ts'
import { Money } from '../../blocks/vouchers/Money.tsx'
import type { ReceiptFacts } from '../../blocks/vouchers/receipt.ts'
import { ReceiptDialog } from '../../blocks/vouchers/ReceiptDialog.tsx'
import { readVoucher, type Voucher, type VoucherEvent, type VoucherRow } from '../../contract/vouchers.ts'
import { formatDay, formatInstant } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { type CachedRead, useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { showToast } from '../../state/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { WithCopy } from '../../ui/CopyButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Dialog, DialogActions } from '../../ui/overlay/Dialog.tsx'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { Box, Exact, type Fact, Facts, Panel, Stack } from '../../ui/Panel.tsx'
import { DateUsed } from './voucherList.tsx'
import { shownStatus, VoucherMark } from './VoucherMark.tsx'

interface Props {
  id: string
  /** The voucher's row in the table. Undefined if a link opened the dialog. */
  row: VoucherRow | undefined
  onClose: () => void
  /** Reads the table again. */
  onChanged: () => void
}

/** Shows a voucher over the table that opened it. */
export function VoucherDialog({ id, row, onClose, onChanged }: Props) {
  const read = useVoucher(id)
  const closeButton = useRef<HTMLButtonElement>(null)
  const voucher = read.data ?? row
  const serial = voucher?.serial
  const offline = useOffline()
  const [isReceiptOpen, setIsReceiptOpen] = useState(false)
  const receipt = read.data && receiptOf(read.data)
  // Dialogs are never stacked, so the voucher closes before the question opens.
  const release = (held: VoucherRow) => {
    onClose()
    void confirmReleaseHold(held).then(onChanged)
  }
  if (isReceiptOpen && receipt) return <ReceiptDialog receipt={receipt} onClose={() => setIsReceiptOpen(false)} />
  return (
    <Dialog
      open
      hasLongContent
      title={serial ? formatSerial(serial) : 'Voucher'}
      onClose={onClose}
      initialFocus={closeButton}
      actions={
        <>
          {voucher?.held && (
            <>
              <NeedsConnection className="my-auto mr-auto" />
              <Button variant="danger" aria-disabled={offline || undefined} onClick={() => release(voucher)}>
                Release hold
              </Button>
            </>
          )}
          <Button ref={closeButton} onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <Stack>
        <VoucherDetail read={read} row={row} />
        <DialogActions>
          {receipt && <Button onClick={() => setIsReceiptOpen(true)}>Receipt</Button>}
          {voucher?.in_scope && <ActivityLink type="voucher" guid={id} />}
          {serial && <Button onClick={() => void copySerial(serial)}>Copy serial number</Button>}
        </DialogActions>
      </Stack>
    </Dialog>
  )
}

/** Returns the receipt of the redemption; undefined if it was voided, because customers get no receipt for a void. */
function receiptOf({ serial, status, denomination_cents, history }: Voucher): ReceiptFacts | undefined {
  const last = history.at(-1)
  if (status !== 'Used' || last?.event !== 'Redeemed') return undefined
  return {
    branch: last.branch_name,
    till: undefined,
    cashier: last.pos_username,
    at: new Date(last.at),
    vouchers: [{ serial, cents: denomination_cents, number: last.receipt_number }],
  }
}

/** Reads a voucher of the person's scope, with its history. An opened voucher is stored on this device. */
function useVoucher(id: string): CachedRead<Voucher> {
  const { guid } = useUser()
  return useCachedRead(guid, `voucher.get ${id}`, readVoucher.answer, (signal) =>
    call(readVoucher, { params: { id }, signal }),
  )
}

interface VoucherDetailProps {
  read: CachedRead<Voucher>
  row: VoucherRow | undefined
}

/** Shows everything about a voucher in the person's scope. About any other it shows only what the table says (rule 8.4). */
function VoucherDetail({ read, row }: VoucherDetailProps) {
  if (read.error instanceof ApiError && read.error.code === 'NOT_FOUND') return <VoucherOutOfScope row={row} />
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

function VoucherOutOfScope({ row }: Pick<VoucherDetailProps, 'row'>) {
  if (!row) {
    const text = 'None of your branches has redeemed it. Look it up by its full serial number.'
    return <EmptyState icon={ICONS.search} title="No such voucher here" text={text} />
  }
  return (
    <>
      <VoucherFacts voucher={row} />
      <p className="text-muted">None of your branches has redeemed it, so its history is not shown.</p>
    </>
  )
}

function VoucherFacts({ voucher }: { voucher: VoucherRow }) {
  const facts: Fact[] = [
    ['Status', <VoucherMark key="status" status={shownStatus(voucher)} />],
    ...(voucher.held ? [['On hold at', heldText(voucher.held)] as const] : []),
    ['Denomination', <Money key="worth" cents={voucher.denomination_cents} />],
    ['Date used', <DateUsed key="used" voucher={voucher} />],
    ...(voucher.branch_name === null ? [] : [['Branch', <Exact key="branch">{voucher.branch_name}</Exact>] as const]),
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

/** Shows the events of a voucher that this person may see, oldest first. A voided redemption shows as two events. */
function VoucherHistory({ events }: { events: readonly VoucherEvent[] }) {
  return (
    <Panel title="History" level="h3">
      {/* First the event and its time, below them the place and the person. */}
      <ol>
        {events.map((event) => (
          <li
            key={`${event.event} ${event.receipt_number}`}
            className="grid grid-cols-[1fr_auto] gap-x-4 border-border px-4 py-3 not-first:border-t"
          >
            <b className="font-strong">{event.event}</b>
            <time dateTime={event.at}>{formatInstant(new Date(event.at))}</time>
            <span className="col-span-full text-muted wrap-anywhere">
              <span translate="no">{`${event.branch_name}, ${event.pos_username}`}</span>
              <span>, receipt </span>
              <WithCopy what="receipt number">{event.receipt_number}</WithCopy>
            </span>
            {event.late && <LateUpload {...event.late} />}
          </li>
        ))}
      </ol>
    </Panel>
  )
}

/** Says why the redemption is a late upload, and whether it was reviewed. */
const LateUpload = ({ settled, reviewed }: NonNullable<VoucherEvent['late']>) => (
  <span className={`col-span-full flex items-center gap-2 wrap-anywhere ${reviewed ? 'text-muted' : 'text-warn-text'}`}>
    <Icon drawing={reviewed ? ICONS.ok : ICONS.alert} small />
    <span>
      {settled ? (
        <>
          <span>Settled by hand, by </span>
          <Exact>{settled.by}</Exact>
          <span>{`: “${settled.reason}”. `}</span>
        </>
      ) : (
        <span>{'Uploaded after its till was revoked. '}</span>
      )}
      <span>
        {reviewed ? `Reviewed ${formatInstant(new Date(reviewed.at))}, by ${reviewed.by}.` : 'Not reviewed yet.'}
      </span>
    </span>
  </span>
)

interface VoucherMenuActions {
  onOpen: () => void
  /** Reads the list again. */
  onChanged: () => void
  offline: boolean
}

export const voucherMenu = (row: VoucherRow, { onOpen, onChanged, offline }: VoucherMenuActions): MenuItem[] => [
  { label: 'View voucher', onSelect: onOpen },
  { label: 'Copy serial number', onSelect: () => void copySerial(row.serial) },
  ...(row.held
    ? needsConnection(offline, [
        { label: 'Release hold', onSelect: () => void confirmReleaseHold(row).then(onChanged) },
      ])
    : []),
]

/** Copies the serial. A browser may refuse the clipboard, and then a toast says that nothing was copied. */
async function copySerial(serial: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(serial)
    showToast({ tone: 'success', text: 'Serial number copied' })
  } catch {
    showToast({ tone: 'danger', text: 'This browser does not allow copying. Select the number instead.' })
  }
}
