import { formatInstant } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Facts } from '../../ui/Panel.tsx'
import { useRootClass } from '../../ui/useRootClass.ts'

/** What a receipt says of one redemption. */
export interface ReceiptFacts {
  branch: string
  /** The till's name then, if it had one. */
  till: string | null | undefined
  cashier: string
  serial: string
  worth: string
  at: Date
  /** Missing until the upload. */
  number: string | undefined
}

/** The receipt: on the screen, for an 80 mm printer, or shared to another app. */
export function ReceiptDialog({ receipt, onClose }: { receipt: ReceiptFacts; onClose: () => void }) {
  useRootClass('has-receipt')
  const lines = receiptLines(receipt)
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

export type ReceiptLine = readonly [name: string, value: string]

const receiptLines = ({ branch, till, cashier, serial, worth, at, number }: ReceiptFacts): ReceiptLine[] => [
  ['Branch', branch],
  ...(till ? [['Till', till] as const] : []),
  ['Cashier', cashier],
  ['Voucher', formatSerial(serial)],
  ['Redeemed', worth],
  ['Time', formatInstant(at)],
  ['Receipt number', number ?? 'Follows when it has uploaded'],
]

/** Prints what is marked as receipt, and nothing else of the screen. */
export const PrintReceipt = ({ variant = 'plain' }: { variant?: 'plain' | 'primary' }) => (
  <Button variant={variant} onClick={() => print()}>
    Print
  </Button>
)

/** Only where the browser has somewhere to share it to. */
export function ShareReceipt({ lines }: { lines: readonly ReceiptLine[] }) {
  const text = lines.map((line) => line.join(': ')).join('\n')
  // Closing the share sheet rejects too; that is not an error.
  const share = () => navigator.share({ title: 'Receipt', text }).catch(() => undefined)
  return navigator.canShare?.({ text }) === true && <Button onClick={() => void share()}>Share</Button>
}
