import { useEffect, useEffectEvent, useRef } from 'react'
import { playSound } from '../../blocks/vouchers/playSound.ts'
import { formatCents } from '../../domain/money.ts'
import { isUnsent, sumCents, type TillRow } from '../../offline/store/till.ts'
import { changeToast, showToast } from '../../state/toasts.ts'

/**
 * Says once, in the visible tab, that the server has recorded vouchers that had to wait. Plays the sound of a redeemed voucher,
 * too. Further uploads are added to the toast while it is shown. `shown`: ids of vouchers whose verdict is on the screen, which
 * says so itself.
 */
export function useUploaded(rows: readonly TillRow[], shown: readonly string[]): void {
  const waiting = useRef(new Set<string>())
  const said = useRef<{ toast: number; rows: readonly TillRow[] }>(undefined)
  const announceUploads = useEffectEvent(() => {
    const uploaded = rows.filter(
      (row) => waiting.current.has(row.id) && row.state === 'receipted' && !shown.includes(row.id),
    )
    waiting.current = new Set(rows.filter((row) => isUnsent(row) && hasFailedBefore(row)).map(({ id }) => id))
    if (uploaded.length === 0 || document.visibilityState === 'hidden') return
    const all = [...(said.current?.rows ?? []), ...uploaded]
    if (said.current && changeToast(said.current.toast, { tone: 'success', text: textOf(all) })) {
      said.current.rows = all
      return
    }
    said.current = { toast: showToast({ tone: 'success', text: textOf(uploaded) }), rows: uploaded }
    // The sound may start only within this time: a browser that waits for a touch would play it with the next voucher.
    const cancelSound = playSound('redeemed')
    setTimeout(cancelSound, SOUND_WITHIN_MS)
  })
  useEffect(() => announceUploads(), [rows])
}

const SOUND_WITHIN_MS = 2_000

/** True if an upload of the row has failed before. */
const hasFailedBefore = ({ attempts, pausedForConnection }: TillRow): boolean =>
  attempts > 0 || pausedForConnection === true

const textOf = (rows: readonly TillRow[]): string => {
  const [only, ...others] = rows
  return only && others.length === 0
    ? `Uploaded. Receipt ${only.receipt?.receipt_number}`
    : `${rows.length} vouchers uploaded, ${formatCents(sumCents(rows))}`
}
