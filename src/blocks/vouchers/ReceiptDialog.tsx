import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Stack } from '../../ui/Panel.tsx'
import { useRootClass } from '../../ui/useRootClass.ts'
import { PrintButton, PrintOutcome, usePrinting } from '../printers/usePrinting.tsx'
import { receiptLines, type ReceiptFacts, type ReceiptLine } from './receipt.ts'

/** The receipt: on the screen, on the printer of this device or the browser's, or shared to another app. */
export function ReceiptDialog({ receipt, onClose }: { receipt: ReceiptFacts; onClose: () => void }) {
  useRootClass('prints-dialog')
  const lines = receiptLines(receipt)
  const printing = usePrinting({ title: 'Receipt', lines })
  const actions = (
    <>
      <Button onClick={onClose}>Close</Button>
      <ShareReceipt lines={lines} />
      <PrintButton variant="primary" {...printing} />
    </>
  )
  return (
    <Dialog open holdsForm title="Receipt" onClose={onClose} actions={actions}>
      <Stack>
        <ReceiptLines lines={lines} />
        <PrintOutcome {...printing} />
      </Stack>
    </Dialog>
  )
}

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
    <dd
      className="min-w-0 border-t border-border py-2 text-right wrap-anywhere nth-2:border-t-0 phone:nth-2:pb-3"
      translate="no"
    >
      {value}
    </dd>
  </>
)

/** Only where the browser has somewhere to share it to. */
export function ShareReceipt({ lines }: { lines: readonly ReceiptLine[] }) {
  const text = lines.map((line) => line.join(': ')).join('\n')
  // Closing the share sheet rejects too; that is not an error.
  const share = () => navigator.share({ title: 'Receipt', text }).catch(() => undefined)
  return navigator.canShare?.({ text }) === true && <Button onClick={() => void share()}>Share</Button>
}
