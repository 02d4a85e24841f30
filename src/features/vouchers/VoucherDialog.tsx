import { useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { ActivityLink } from '../../blocks/activity/ActivityLink.tsx'
import { NeedsConnection } from '../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import type { ReceiptFacts } from '../../blocks/vouchers/receipt.ts'
import { ReceiptDialog } from '../../blocks/vouchers/ReceiptDialog.tsx'
import { readVoucher, type Voucher, type VoucherRow } from '../../contract/vouchers.ts'
import { formatCents } from '../../domain/money.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { useCachedRead, type CachedRead } from '../../offline/reads/useCachedRead.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/overlay/Dialog.tsx'
import { Stack } from '../../ui/Panel.tsx'
import { confirmReleaseHold, copySerial } from './voucherActions.ts'
import { VoucherDetail } from './VoucherDetail.tsx'

interface Props {
  id: string
  /** What the table behind it knows. Undefined if a link opened it. */
  row: VoucherRow | undefined
  onClose: () => void
  /** Reads the table again. */
  onChanged: () => void
}

/** One voucher over the table it was opened from. */
export function VoucherDialog({ id, row, onClose, onChanged }: Props) {
  const read = useVoucher(id)
  const close = useRef<HTMLButtonElement>(null)
  const voucher = read.data ?? row
  const serial = voucher?.serial
  const offline = useOffline()
  const [printing, setPrinting] = useState(false)
  const receipt = read.data && receiptOf(read.data)
  // Dialogs are never stacked: this one closes before the question opens.
  const release = (held: VoucherRow) => {
    onClose()
    void confirmReleaseHold(held).then(onChanged)
  }
  if (printing && receipt) return <ReceiptDialog receipt={receipt} onClose={() => setPrinting(false)} />
  return (
    <Dialog
      open
      holdsForm
      title={serial ? formatSerial(serial) : 'Voucher'}
      onClose={onClose}
      initialFocus={close}
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
          <Button ref={close} onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <Stack>
        <VoucherDetail {...{ read, row }} />
        <DialogActions>
          {receipt && <Button onClick={() => setPrinting(true)}>Receipt</Button>}
          {voucher?.in_scope && <ActivityLink type="voucher" guid={id} />}
          {serial && <Button onClick={() => void copySerial(serial)}>Copy serial number</Button>}
        </DialogActions>
      </Stack>
    </Dialog>
  )
}

/** Of the redemption that counts: what was voided has none to give to a customer. */
function receiptOf({ serial, status, denomination_cents, history }: Voucher): ReceiptFacts | undefined {
  const last = history.at(-1)
  if (status !== 'Used' || last?.event !== 'Redeemed') return undefined
  return {
    branch: last.branch_name,
    till: undefined,
    cashier: last.pos_username,
    serial,
    worth: formatCents(denomination_cents),
    at: new Date(last.at),
    number: last.receipt_number,
  }
}

/** One voucher of my scope with its history. Once opened, it is stored on this device. */
function useVoucher(id: string): CachedRead<Voucher> {
  const { guid } = useUser()
  return useCachedRead(guid, `voucher.get ${id}`, readVoucher.answer, (signal) =>
    call(readVoucher, { params: { id }, signal }),
  )
}
