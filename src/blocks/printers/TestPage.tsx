import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { TEST_CODE } from '../../domain/vouchers.ts'
import { tillDevice } from '../../state/counter.ts'
import { Ean13 } from '../../ui/Ean13.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { useRootClass } from '../../ui/useRootClass.ts'
import { useUser } from '../accounts/useUser.ts'
import { type PrintedReceipt, receiptHead } from '../vouchers/receipt.ts'
import { ReceiptPaper } from '../vouchers/ReceiptPaper.tsx'

/** Shows the codes of a voucher. A wrong keyboard language changes the letters and the full stop in the QR code. */
const TestCode = () => (
  <div className="flex flex-wrap items-center justify-center gap-4">
    <QrCode text={`HRP1.${TEST_CODE}`} label="Test code as a square" />
    <Ean13 digits={TEST_CODE} label="Test code as bars" />
  </div>
)

/** The only part of the screen that the browser prints. */
export function TestPage({ from, title, lines, note }: PrintedReceipt) {
  useRootClass('prints-page')
  return (
    <div className="hidden max-w-[72mm] gap-2 print:grid">
      <ReceiptPaper from={from} title={title} lines={lines} />
      <TestCode />
      <p>{note}</p>
    </div>
  )
}

/** Returns a receipt that tests the printer. Its codes test the hand scanner. */
export function useTestReceipt(): PrintedReceipt {
  const { branch_guid, branch_name, organisation_name, login_name } = useUser()
  const till = useSnapshot(tillDevice).names[branch_guid ?? '']
  const [now] = useState(() => new Date())
  return {
    from: receiptHead(organisation_name, branch_name),
    title: 'Test page',
    lines: [...(till ? [['Till', till] as const] : []), ['By', login_name], ['Time', formatInstant(now)]],
    code: TEST_CODE,
    note: 'This is no voucher. Scan it to try the hand scanner.',
  }
}
