import { Button } from '../../../ui/Button.tsx'

export type ReceiptLine = readonly [name: string, value: string]

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
