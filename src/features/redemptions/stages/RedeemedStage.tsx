import { useEffect, useState } from 'react'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import { readTillRow } from '../../../offline/redemptions/tillRows.ts'
import { tillDatabase } from '../../../offline/redemptions/openTill.ts'
import { useLiveQuery } from '../../../offline/storage/useLiveQuery.ts'
import type { TillRow } from '../../../offline/store/till.ts'
import { ConfirmStage } from './ConfirmStage.tsx'
import { ReceiptButton } from '../../redeem/ReceiptButton.tsx'
import { redemptionVerdict } from '../verdict/redemptionVerdict.ts'
import { VerdictStage } from '../verdict/VerdictStage.tsx'
import { VoidButton } from '../VoidButton.tsx'

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
