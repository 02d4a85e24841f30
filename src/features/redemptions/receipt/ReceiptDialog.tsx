import { formatInstant } from '../../../domain/singaporeTime.ts'
import { formatSerial } from '../../../domain/vouchers.ts'
import type { TillRow } from '../../../offline/store/till.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { Facts } from '../../../ui/Panel.tsx'
import { useRootClass } from '../../../ui/useRootClass.ts'
import { redeemedAt, worthOf } from '../useTillRows.ts'
import { PrintReceipt, ShareReceipt, type ReceiptLine } from './ReceiptActions.tsx'

interface Props {
  row: TillRow
  /** Where it was redeemed, for a receipt that has not come yet. */
  branch: string
  onClose: () => void
}

/** The receipt: on the screen, for an 80 mm printer, or shared to another app. Until the upload its number is missing. */
export function ReceiptDialog({ row, branch, onClose }: Props) {
  useRootClass('has-receipt')
  const lines = receiptLines(row, branch)
  const actions = (
    <>
      <Button onClick={onClose}>Close</Button>
      <ShareReceipt lines={lines} />
      <PrintReceipt variant="primary" />
    </>
  )
  return (
    <Dialog open holdsForm title="Receipt" onClose={onClose} actions={actions}>
      <div className="receipt">
        <Facts facts={lines} />
      </div>
    </Dialog>
  )
}

function receiptLines(row: TillRow, branch: string): ReceiptLine[] {
  const { receipt, serial } = row
  return [
    ['Branch', receipt?.branch_name ?? branch],
    ...(receipt?.till ? [['Till', receipt.till] as const] : []),
    ['Cashier', receipt?.pos_username ?? row.owner_name],
    ['Voucher', formatSerial(serial)],
    ['Redeemed', worthOf(row)],
    ['Time', formatInstant(redeemedAt(row))],
    ['Receipt number', receipt?.receipt_number ?? 'Follows when it has uploaded'],
  ]
}
