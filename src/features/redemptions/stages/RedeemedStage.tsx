import { useEffect, useState } from 'react'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import type { ReceiptFacts } from '../../../blocks/vouchers/receipt.ts'
import { ReceiptDialog } from '../../../blocks/vouchers/ReceiptDialog.tsx'
import { tillDatabase } from '../../../offline/redemptions/openTill.ts'
import { readTillRow } from '../../../offline/redemptions/tillRows.ts'
import { useLiveQuery } from '../../../offline/storage/useLiveQuery.ts'
import type { TillRow } from '../../../offline/store/till.ts'
import { takenOffBill, type BillNow } from '../bill/useBills.ts'
import { countsAsRedeemed, redeemedAt, worthOf } from '../useTillRows.ts'
import { redemptionVerdict } from '../verdict/redemptionVerdict.ts'
import { VerdictStage } from '../verdict/VerdictStage.tsx'
import { useVoid } from '../VoidButton.tsx'
import { ConfirmStage } from './ConfirmStage.tsx'

interface Props {
  id: string
  since: number
  /** Where it was redeemed, for a receipt that has not come yet. */
  branch: string
  bill: BillNow | undefined
  onNext: () => void
}

/** If the receipt comes within this time, the screen never says "uploading". */
const RECEIPT_GRACE_MS = 1_000

/** What the device knows of a redeemed voucher: uploading at first, perhaps, then its receipt or a refusal. */
export function RedeemedStage({ id, since, bill, ...props }: Props) {
  const row = useLiveQuery(() => readTillRow(tillDatabase(), id), `till/${id}`)
  const withinGrace = useReceiptGrace(since)
  const offline = useOffline()
  if (!row) return null
  if (row.state === 'confirmed' && withinGrace && !offline) {
    return <ConfirmStage row={row} taken={takenOffBill(bill, row)} busy />
  }
  return <Redeemed {...props} {...{ row, bill }} />
}

interface RedeemedProps extends Pick<Props, 'branch' | 'bill' | 'onNext'> {
  row: TillRow
}

function Redeemed({ row, branch, bill, onNext }: RedeemedProps) {
  const [showing, setShowing] = useState(false)
  const voiding = useVoid(row)
  const actions = [
    { label: 'Void this redemption', busy: voiding.busy, run: voiding.run },
    { label: 'Receipt', run: () => setShowing(true) },
  ]
  return (
    <>
      <VerdictStage
        verdict={redemptionVerdict(row, takenOffBill(bill, row))}
        onNext={onNext}
        actions={countsAsRedeemed(row) ? actions : []}
      />
      {showing && <ReceiptDialog receipt={receiptOf(row, branch)} onClose={() => setShowing(false)} />}
    </>
  )
}

const receiptOf = (row: TillRow, branch: string): ReceiptFacts => ({
  branch: row.receipt?.branch_name ?? branch,
  till: row.receipt?.till,
  cashier: row.receipt?.pos_username ?? row.owner_name,
  serial: row.serial,
  worth: worthOf(row),
  at: redeemedAt(row),
  number: row.receipt?.receipt_number,
})

function useReceiptGrace(since: number): boolean {
  const [withinGrace, setWithinGrace] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setWithinGrace(false), Math.max(0, since + RECEIPT_GRACE_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [since])
  return withinGrace
}
