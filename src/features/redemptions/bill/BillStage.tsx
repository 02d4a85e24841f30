import { useSnapshot } from 'valtio/react'
import { useUser } from '../../../blocks/accounts/useUser.ts'
import type { Connection } from '../../../blocks/connectivity/connectivityTitle.ts'
import { PrintButton, PrintOutcome, usePrinting } from '../../../blocks/printers/usePrinting.tsx'
import { PROGRAMME, receiptHead, type ReceiptLine } from '../../../blocks/vouchers/receipt.ts'
import { ShareReceipt } from '../../../blocks/vouchers/ReceiptDialog.tsx'
import { ReceiptPaper } from '../../../blocks/vouchers/ReceiptPaper.tsx'
import { formatCents } from '../../../domain/money.ts'
import { pluralize } from '../../../domain/quantities.ts'
import { formatInstant } from '../../../domain/singaporeTime.ts'
import { formatSerial } from '../../../domain/vouchers.ts'
import { connectivity } from '../../../offline/connectivity/connectivity.ts'
import type { TillRow } from '../../../offline/store/till.ts'
import { Actions } from '../../../ui/Button.tsx'
import { ExactSentence } from '../../../ui/ExactSentence.tsx'
import { useRootClass } from '../../../ui/useRootClass.ts'
import { CounterBar, CounterQuestion, QuestionTitle } from '../CounterHeader.tsx'
import { worthOf } from '../useTillRows.ts'
import { NextButton } from '../verdict/NextButton.tsx'
import { redemptionVerdict } from '../verdict/redemptionVerdict.ts'
import { useSay } from '../verdict/SaidRegion.tsx'
import type { BillNow } from './useBills.ts'

interface Props {
  bill: BillNow
  /** When it was finished, in milliseconds. */
  since: number
  till: string
  branch: string
  onNext: () => void
}

/** A finished bill: what comes off it, what the customer still pays, and one receipt for all of its vouchers. */
export function BillStage({ bill, since, till, branch, onNext }: Props) {
  const connection = useSnapshot(connectivity)
  const say = billText(bill)
  useSay(`Bill finished. ${say}`)
  useRootClass('prints-page')
  const { organisation_name, login_name } = useUser()
  const lines: ReceiptLine[] = [
    ['Till', till],
    ['Cashier', login_name],
    ['Time', formatInstant(new Date(since))],
    ...bill.redeemed.flatMap((row) => voucherLines(row, connection)),
    ...bill.refused.map(({ serial, word }) => [formatSerial(serial), word] as const),
    ...sumLines(bill),
  ]
  const receipt = { from: receiptHead(organisation_name, branch), title: 'Receipt', lines, note: PROGRAMME }
  const printing = usePrinting(receipt)
  return (
    <>
      <CounterQuestion className="print:block print:max-w-[72mm] print:p-0">
        <div className="grid w-[min(36rem,100%)] gap-6">
          <div className="print:hidden">
            <QuestionTitle title="Bill finished" say={<ExactSentence text={say} />} />
          </div>
          <ReceiptPaper {...receipt} />
          <PrintOutcome {...printing} />
        </div>
      </CounterQuestion>
      <CounterBar label="What next" className="print:hidden" next={<NextButton word={say} onNext={onNext} />}>
        <Actions className="phone:flex-nowrap">
          <ShareReceipt {...receipt} />
          <PrintButton {...printing} />
        </Actions>
      </CounterBar>
    </>
  )
}

function billText({ vouchers, forfeited, toCollect }: BillNow): string {
  const off = `Take ${formatCents(vouchers - forfeited)} off the bill.`
  return toCollect === undefined ? off : `${off} The customer still pays ${formatCents(toCollect)}.`
}

/** A row for its worth and one for its receipt number: in one they would not fit on paper of 58 mm. */
const voucherLines = (row: TillRow, connection: Connection): ReceiptLine[] => [
  [formatSerial(row.serial), worthOf(row)],
  [redemptionVerdict(row, connection).word, row.receipt?.receipt_number ?? 'no receipt number yet'],
]

function sumLines({ amount_cents, counted, vouchers, atRisk, forfeited, toCollect }: BillNow): ReceiptLine[] {
  const lost: ReceiptLine[] = forfeited > 0 ? [['Lost, no change given', formatCents(forfeited)]] : []
  return [
    ...(amount_cents === null ? [] : [['Bill', formatCents(amount_cents)] as const]),
    ['Vouchers', `${pluralize(counted.length, 'voucher')}, ${formatCents(vouchers)}`],
    ...(atRisk > 0 ? [['Accepted at the shop’s risk', formatCents(atRisk)] as const] : []),
    ...lost,
    ['Taken off the bill', formatCents(vouchers - forfeited)],
    ...(toCollect === undefined ? [] : [['Still to pay', formatCents(toCollect)] as const]),
  ]
}
