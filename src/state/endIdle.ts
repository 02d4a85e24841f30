import { signedOut } from './auth.ts'
import { showToast } from './toasts.ts'

/** The idle limit ends the session on this device, and the login says so (rule 4.7). */
export function endIdle(): void {
  signedOut()
  showToast({ tone: 'info', text: 'You were logged out because you were inactive.', stays: true })
}
