import { countDownloadsLeft } from './offline/page/downloadsLeftHere.ts'
import { auth } from './state/auth.ts'
import { closeToast, showToast } from './state/toasts.ts'

let shownDownloads: number | undefined

/** To nobody signed in: somebody's session ended before their downloads did (cases 44). */
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
