import { downloadsLeftHere } from './offline/page/downloadsLeftHere.ts'
import { auth } from './state/auth.ts'
import { closeToast, showToast } from './state/toasts.ts'

let shown: number | undefined

/** To nobody signed in: somebody's session ended before their downloads did (cases 44). */
export async function tellDownloadsLeft(): Promise<void> {
  forgetDownloadsLeft()
  const count = await downloadsLeftHere().catch(() => 0)
  if (count === 0 || auth.user || shown !== undefined) return
  const text = `Log in to finish ${count} ${count === 1 ? 'download' : 'downloads'}.`
  shown = showToast({ tone: 'info', text, stays: true })
}

export function forgetDownloadsLeft(): void {
  if (shown !== undefined) closeToast(shown)
  shown = undefined
}
