import { useEffect, useState } from 'react'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import { formatCents } from '../../../domain/money.ts'
import { formatInstant } from '../../../domain/singaporeTime.ts'
import { formatSerial } from '../../../domain/vouchers.ts'
import { tillDatabase } from '../../../offline/redemptions/openTill.ts'
import { readTillRow } from '../../../offline/redemptions/tillRows.ts'
import { useLiveQuery } from '../../../offline/storage/useLiveQuery.ts'
import type { TillRow } from '../../../offline/store/till.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { Facts } from '../../../ui/Panel.tsx'
import { redeemedAt } from '../useTillRows.ts'
import { redemptionVerdict } from '../verdict/redemptionVerdict.ts'
import { VerdictStage } from '../verdict/VerdictStage.tsx'
import { VoidButton } from '../VoidButton.tsx'
import { ConfirmStage } from './ConfirmStage.tsx'

interface Props {
  id: string
  since: number
  /** Where it was taken, for a receipt that has not come yet. */
  branch: string
  onNext: () => void
}

/** A receipt within this time needs no word about uploading. */
const RECEIPT_GRACE_MS = 1_000

/** What became of a voucher that was taken, as the disk has it: first perhaps uploading, then its receipt, or a refusal. */
export function RedeemedStage({ id, since, branch, onNext }: Props) {
  const row = useLiveQuery(() => readTillRow(tillDatabase(), id), `till/${id}`)
  const patient = useReceiptGrace(since)
  const offline = useOffline()
  if (!row) return null
  if (row.state === 'confirmed' && patient && !offline) return <ConfirmStage row={row} busy />
  const verdict = redemptionVerdict(row)
  return (
    <VerdictStage verdict={verdict} onNext={onNext} acts={canVoid(row) && <RedeemedActions {...{ row, branch }} />} />
  )
}

function RedeemedActions({ row, branch }: { row: TillRow; branch: string }) {
  return (
    <>
      <VoidButton row={row} />
      <ReceiptButton {...{ row, branch }} />
    </>
  )
}

const canVoid = ({ state }: TillRow) => state === 'confirmed' || state === 'receipted'

function useReceiptGrace(since: number): boolean {
  const [patient, setPatient] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setPatient(false), Math.max(0, since + RECEIPT_GRACE_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [since])
  return patient
}

/** The receipt on the screen, for a printer of 80 mm, or for another app. While it uploads it says that its number follows. */
function ReceiptButton({ row, branch }: { row: TillRow; branch: string }) {
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

type ReceiptLine = readonly [name: string, value: string]

function receiptFacts(row: TillRow, branch: string): ReceiptLine[] {
  const { receipt, denomination_cents = 0, serial } = row
  return [
    ['Branch', receipt?.branch_name ?? branch],
    ...(receipt?.till ? [['Till', receipt.till] as const] : []),
    ['Cashier', receipt?.pos_username ?? row.owner_name],
    ['Voucher', formatSerial(serial)],
    ['Redeemed', formatCents(denomination_cents)],
    ['Time', formatInstant(redeemedAt(row))],
    ['Receipt number', receipt?.receipt_number ?? 'Follows when it has uploaded'],
  ]
}

const receiptText = (facts: readonly ReceiptLine[]): string => facts.map((line) => line.join(': ')).join('\n')
