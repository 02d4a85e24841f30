import { useState } from 'react'
import type { TillRow } from '../../offline/store/till.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { receiptFacts, receiptText } from './receiptFacts.ts'

/** The receipt on the screen, for a printer of 80 mm, or for another app. While it uploads it says that its number follows. */
export function ReceiptButton({ row, branch }: { row: TillRow; branch: string }) {
  const [open, setOpen] = useState(false)
  const facts = receiptFacts(row, branch)
  const text = receiptText(facts)
  const actions = (
    <>
      <Button onClick={() => setOpen(false)}>Close</Button>
      {canShare(text) && <Button onClick={() => void share(text)}>Share</Button>}
      <Button variant="primary" onClick={() => print()}>
        Print
      </Button>
    </>
  )
  return (
    <>
      <Button onClick={() => setOpen(true)}>Receipt</Button>
      {open && (
        <Dialog open holdsForm title="Receipt" onClose={() => setOpen(false)} actions={actions}>
          <div className="receipt">
            <Facts facts={facts} />
          </div>
        </Dialog>
      )}
    </>
  )
}

const canShare = (text: string) => navigator.canShare?.({ text }) === true

/** Closing the sheet is no failure. */
const share = (text: string) => navigator.share({ title: 'Receipt', text }).catch(() => undefined)
