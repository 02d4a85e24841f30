import { formatCents } from '../domain/money.ts'
import { followUnsent } from '../offline/redemptions/openTill.ts'
import type { Unsent } from '../offline/storage/storageHealth.ts'
import { countDownloadsLeft } from '../offline/waitingCounts.ts'
import { auth } from '../state/auth.ts'
import { closeToast, showToast } from '../state/toasts.ts'

let stopShowing: (() => void) | undefined

/**
 * Shows how much this device still has to upload when no user is logged in, so that it stays switched on. It shows nothing else
 * (rule 9.5).
 */
export function showUploads(): void {
  hideUploads()
  let shown: number | undefined
  const close = () => {
    if (shown !== undefined) closeToast(shown)
    shown = undefined
  }
  const stopFollowing = followUnsent((unsent) => {
    close()
    if (unsent.count > 0) shown = showToast({ tone: 'info', text: describeUnsent(unsent), stays: true })
  })
  stopShowing = () => {
    stopFollowing()
    close()
  }
}

export function hideUploads(): void {
  stopShowing?.()
  stopShowing = undefined
}

const describeUnsent = ({ count, cents }: Unsent) =>
  `${count === 1 ? '1 voucher' : `${count} vouchers`}, ${formatCents(cents)}, ${count === 1 ? 'waits' : 'wait'} to be uploaded. Keep this device on.`

let shownDownloads: number | undefined

/** Shows how many downloads are left when no user is logged in, because a session ended before its downloads (offline 44). */
export async function showDownloadsLeft(): Promise<void> {
  hideDownloadsLeft()
  const count = await countDownloadsLeft().catch(() => 0)
  if (count === 0 || auth.user || shownDownloads !== undefined) return
  const text = `Log in to finish ${count} ${count === 1 ? 'download' : 'downloads'}.`
  shownDownloads = showToast({ tone: 'info', text, stays: true })
}

export function hideDownloadsLeft(): void {
  if (shownDownloads !== undefined) closeToast(shownDownloads)
  shownDownloads = undefined
}
