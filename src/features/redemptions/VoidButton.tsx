import { useState } from 'react'
import { LIMITS } from '../../contract/limits.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { thisTill } from '../../offline/redemptions/openTill.ts'
import type { VoidResult } from '../../offline/redemptions/Till.ts'
import type { TillRow } from '../../offline/store/till.ts'
import { confirm } from '../../state/dialogs.ts'
import { showToast } from '../../state/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { valueText } from './useTillRows.ts'

/** The button in My day that voids a redemption. */
export function VoidButton({ row }: { row: TillRow }) {
  const { busy, run } = useVoid(row, voidRedeemed)
  return (
    <Button className="text-base" busy={busy} onClick={run}>
      Void
    </Button>
  )
}

export const voidRedeemed = async (id: string): Promise<VoidResult> => (await thisTill()).voidRedeemed(id)

/** Asks, then voids a redemption. The server allows this for five minutes after it recorded the redemption (rule 9.13). */
export function useVoid(row: TillRow, voidIt: (id: string) => Promise<VoidResult>) {
  const [busy, setBusy] = useState(false)
  const run = async () => {
    if (!(await confirm(voidQuestion(row)))) return
    setBusy(true)
    showVoidOutcome(await voidIt(row.id))
    setBusy(false)
  }
  return { busy, run: () => void run() }
}

const voidQuestion = (row: TillRow) => ({
  title: `Void ${valueText(row)}?`,
  consequence: `Voucher ${formatSerial(row.serial)} can be used again, and ${valueText(row)} goes back on the bill.`,
  act: 'Void redemption',
  dismiss: 'Do not void',
  destructive: true,
})

function showVoidOutcome(voided: VoidResult) {
  switch (voided.is) {
    case 'voided':
    case 'cancelled':
      return showToast({ tone: 'success', text: 'Redemption voided' })
    case 'no answer':
      // The server may have voided the redemption, and only its answer was lost.
      return showToast({
        tone: 'danger',
        text: 'Not voided yet: no answer from the server. This device keeps asking. Wait with goods and bill until it says Voided or Redeemed.',
      })
    case 'unstored':
      return showToast({
        tone: 'danger',
        text: 'Not voided. This device cannot store it. Free some space, then try again.',
      })
    case 'refused':
      return showToast({ tone: 'danger', text: `Not voided. ${refusalText(voided.refused)}` })
  }
}

const refusalText = ({ code, message }: { code: string; message: string }) =>
  code === 'VOID_TOO_LATE' ? `A redemption can be voided for ${LIMITS.voidMinutes} minutes.` : message
