import { formatInstant } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
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
  useRootClass('prints-dialog')
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
      <ReceiptLines lines={lines} />
    </Dialog>
  )
}

export type ReceiptLine = readonly [name: string, value: string]

/** On the screen as on the paper: name at the left, sum at the right. */
export const ReceiptLines = ({ lines }: { lines: readonly ReceiptLine[] }) => (
  <dl className="grid grid-cols-[auto_1fr]">
    {lines.map(([name, value]) => (
      <ReceiptRow key={name} name={name} value={value} />
    ))}
  </dl>
)

const ReceiptRow = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt className="border-t border-border py-2 pr-4 text-muted first:border-t-0">{name}</dt>
    <dd className="min-w-0 border-t border-border py-2 text-right wrap-anywhere nth-2:border-t-0 phone:nth-2:pb-3">
      {value}
    </dd>
  </>
)

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
