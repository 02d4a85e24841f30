import { TEST_CODE } from '../../domain/vouchers.ts'
import { Ean13 } from '../../ui/Ean13.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import type { PrintedReceipt } from '../vouchers/receipt.ts'
import { ReceiptPaper } from '../vouchers/ReceiptPaper.tsx'

/** As on a voucher: the square with letters and a point, which a wrong keyboard language turns into others. */
export const TestCode = () => (
  <div className="flex flex-wrap items-center justify-center gap-4">
    <QrCode text={`HRP1.${TEST_CODE}`} label="Test code as a square" />
    <Ean13 digits={TEST_CODE} label="Test code as bars" />
  </div>
)

/** Of the whole screen only this is printed by the browser. */
export const TestPage = ({ from, title, lines, note }: PrintedReceipt) => (
  <div className="hidden max-w-[72mm] gap-2 print:grid">
    <ReceiptPaper {...{ from, title, lines }} />
    <TestCode />
    <p>{note}</p>
  </div>
)
