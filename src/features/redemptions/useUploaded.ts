import { useEffect, useEffectEvent, useRef } from 'react'
import { playSound } from '../../blocks/vouchers/playSound.ts'
import { formatCents } from '../../domain/money.ts'
import { isUnsent, sumCents, type TillRow } from '../../offline/store/till.ts'
import { changeToast, showToast } from '../../state/toasts.ts'

/**
 * Says that the server has recorded vouchers that had to wait, with the sound of an accepted voucher: once, in the visible tab.
 * Further uploads are added to the toast while it is shown. `shown`: the vouchers whose verdict is on the screen, which says it
 * itself.
 */
export function useUploaded(rows: readonly TillRow[], shown: readonly string[]): void {
  const waiting = useRef(new Set<string>())
  const said = useRef<{ toast: number; rows: readonly TillRow[] }>(undefined)
  const look = useEffectEvent(() => {
    const uploaded = rows.filter(
      (row) => waiting.current.has(row.id) && row.state === 'receipted' && !shown.includes(row.id),
    )
    waiting.current = new Set(rows.filter((row) => isUnsent(row) && wasPutOff(row)).map(({ id }) => id))
    if (uploaded.length === 0 || document.visibilityState === 'hidden') return
    const all = [...(said.current?.rows ?? []), ...uploaded]
    if (said.current && changeToast(said.current.toast, { tone: 'success', text: textOf(all) })) {
      said.current.rows = all
      return
    }
    said.current = { toast: showToast({ tone: 'success', text: textOf(uploaded) }), rows: uploaded }
    // If the browser allows no sound before a touch, the sound would come with the next voucher.
    setTimeout(playSound('redeemed'), SOUNDS_WITHIN_MS)
  })
  useEffect(() => look(), [rows])
}

const SOUNDS_WITHIN_MS = 2_000

/** True if an attempt to upload it has failed. */
const wasPutOff = ({ attempts, pausedForConnection }: TillRow): boolean => attempts > 0 || pausedForConnection === true

const textOf = (rows: readonly TillRow[]): string => {
  const [only, ...others] = rows
  return only && others.length === 0
    ? `Uploaded. Receipt ${only.receipt?.receipt_number}`
    : `${rows.length} vouchers uploaded, ${formatCents(sumCents(rows))}`
}
