import { useEffect, useState } from 'react'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import { formatInstant } from '../../../domain/singaporeTime.ts'
import { formatSerial } from '../../../domain/vouchers.ts'
import { tillDatabase } from '../../../offline/redemptions/openTill.ts'
import { readTillRow } from '../../../offline/redemptions/tillRows.ts'
import { useLiveQuery } from '../../../offline/storage/useLiveQuery.ts'
import type { TillRow } from '../../../offline/store/till.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { Facts } from '../../../ui/Panel.tsx'
import { countsAsRedeemed, redeemedAt, worthOf } from '../useTillRows.ts'
import { redemptionVerdict } from '../verdict/redemptionVerdict.ts'
import { VerdictStage } from '../verdict/VerdictStage.tsx'
import { VoidButton } from '../VoidButton.tsx'
import { ConfirmStage } from './ConfirmStage.tsx'

interface Props {
  id: string
  since: number
  /** Where it was redeemed, for a receipt that has not come yet. */
  branch: string
  onNext: () => void
}

/** If the receipt comes within this time, the screen never says "uploading". */
const RECEIPT_GRACE_MS = 1_000

/** What the device knows of a redeemed voucher: uploading at first, perhaps, then its receipt or a refusal. */
export function RedeemedStage({ id, since, branch, onNext }: Props) {
  const row = useLiveQuery(() => readTillRow(tillDatabase(), id), `till/${id}`)
  const withinGrace = useReceiptGrace(since)
  const offline = useOffline()
  if (!row) return null
  if (row.state === 'confirmed' && withinGrace && !offline) return <ConfirmStage row={row} busy />
  const verdict = redemptionVerdict(row)
  return (
    <VerdictStage
      verdict={verdict}
      onNext={onNext}
      acts={countsAsRedeemed(row) && <RedeemedActions {...{ row, branch }} />}
    />
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

function useReceiptGrace(since: number): boolean {
  const [withinGrace, setWithinGrace] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setWithinGrace(false), Math.max(0, since + RECEIPT_GRACE_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [since])
  return withinGrace
}

/** The receipt: on the screen, for an 80 mm printer, or shared to another app. Until the upload its number is missing. */
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

/** Closing the share sheet rejects too; that is not an error. */
const share = (text: string) => navigator.share({ title: 'Receipt', text }).catch(() => undefined)

type ReceiptLine = readonly [name: string, value: string]

function receiptFacts(row: TillRow, branch: string): ReceiptLine[] {
  const { receipt, serial } = row
  return [
    ['Branch', receipt?.branch_name ?? branch],
    ...(receipt?.till ? [['Till', receipt.till] as const] : []),
    ['Cashier', receipt?.pos_username ?? row.owner_name],
    ['Voucher', formatSerial(serial)],
    ['Redeemed', worthOf(row)],
    ['Time', formatInstant(redeemedAt(row))],
    ['Receipt number', receipt?.receipt_number ?? 'Follows when it has uploaded'],
  ]
}

const receiptText = (facts: readonly ReceiptLine[]): string => facts.map((line) => line.join(': ')).join('\n')
