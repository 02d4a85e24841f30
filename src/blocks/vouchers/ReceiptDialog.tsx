import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Stack } from '../../ui/Panel.tsx'
import { useRootClass } from '../../ui/useRootClass.ts'
import { PrintButton, PrintOutcome, usePrinting } from '../printers/usePrinting.tsx'
import { redemptionReceipt, type PrintedReceipt, type ReceiptFacts } from './receipt.ts'
import { ReceiptPaper } from './ReceiptPaper.tsx'

/** Shows the receipt. It can be printed on the printer of this device or by the browser, or shared to another app. */
export function ReceiptDialog({ receipt: facts, onClose }: { receipt: ReceiptFacts; onClose: () => void }) {
  useRootClass('prints-dialog')
  const receipt = redemptionReceipt(facts)
  const printing = usePrinting(receipt)
  const actions = (
    <>
      <Button onClick={onClose}>Close</Button>
      <ShareReceipt {...receipt} />
      <PrintButton variant="primary" {...printing} />
    </>
  )
  return (
    <Dialog open hasLongContent title="Receipt" onClose={onClose} actions={actions}>
      <Stack>
        <ReceiptPaper {...receipt} />
        <PrintOutcome {...printing} />
      </Stack>
    </Dialog>
  )
}

/** A button to share the receipt, if the browser can share text. */
function ShareReceipt({ from, title, mark, lines, note }: PrintedReceipt) {
  const rows = [...from, title, mark, ...lines.map((line) => line.join(': ')), note]
  const text = rows.filter((row) => row !== undefined).join('\n')
  // Closing the share sheet rejects as well, which is no error.
  const share = () => navigator.share({ title, text }).catch(() => undefined)
  return navigator.canShare?.({ text }) === true && <Button onClick={() => void share()}>Share</Button>
}
