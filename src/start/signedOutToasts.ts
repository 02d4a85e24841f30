import { formatCents } from '../domain/money.ts'
import { followUnsent, type Unsent } from '../offline/page/till/followUnsent.ts'
import { closeToast, showToast } from '../state/toasts.ts'

let end: (() => void) | undefined

/** With nobody signed in the device goes on uploading, and must be left on: how much, and nothing else, is told (DESIGN §7). */
export function showUploads(): void {
  hideUploads()
  let shown: number | undefined
  const close = () => {
    if (shown !== undefined) closeToast(shown)
    shown = undefined
  }
  const unfollow = followUnsent((unsent) => {
    close()
    if (unsent.count > 0) shown = showToast({ tone: 'info', text: wordsFor(unsent), stays: true })
  })
  end = () => {
    unfollow()
    close()
  }
}

export function hideUploads(): void {
  end?.()
  end = undefined
}

const wordsFor = ({ count, cents }: Unsent) =>
  `${count === 1 ? '1 voucher is' : `${count} vouchers are`} uploading, ${formatCents(cents)}. Keep this device on.`
