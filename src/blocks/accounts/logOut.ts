import { call } from '../../api/call.ts'
import { logout } from '../../contract/accounts/account.ts'
import { isUnsavedDownload, readOutbox } from '../../offline/outbox/outbox.ts'
import { userStore, wipeUserStore } from '../../offline/storage/userStore.ts'
import type { OutboxRow } from '../../offline/store/userRows.ts'
import { auth, clearSession, startLoggingOut } from '../../state/auth.ts'
import { confirm, type Confirmation } from '../../state/dialogs.ts'

/** The longest wait for the server: a bad connection must not keep anyone logged in on a shared tablet. */
const TELL_SERVER_MS = 3_000

/**
 * Logs out at the person's wish, offline too. It lists what would be discarded, then removes the person's data from this device in every tab. The
 * order matters: the data is removed before the screen changes, so that Back finds nothing.
 */
export async function logOut(): Promise<void> {
  const owner = auth.user?.guid
  if (!owner || !(await discardConfirmed(owner))) return
  await endAtServer()
  await wipeUserStore(owner).catch(() => undefined)
  leave()
}

/** Ends the session, and keeps this person's drafts on the device for their next login here. */
export async function logOutKeepingDrafts(): Promise<void> {
  await endAtServer()
  leave()
}

function leave() {
  clearSession('chosen')
}

function endAtServer() {
  startLoggingOut()
  return call(logout, { signal: AbortSignal.timeout(TELL_SERVER_MS) }).catch(() => undefined)
}

async function discardConfirmed(owner: string): Promise<boolean> {
  const open: OutboxRow[] = await readOutbox(userStore(owner)).catch(() => [])
  const lost = open.filter(isUnsavedDownload)
  return lost.length === 0 || confirm(discardQuestion(lost))
}

/** Lists every download that would be lost, so that the person knows what they agree to. */
const discardQuestion = (lost: { id: string; title: string }[]): Confirmation => ({
  title: lost.length === 1 ? 'Discard 1 download?' : `Discard ${lost.length} downloads?`,
  consequence: `Logging out removes ${lost.length === 1 ? 'it' : 'them'} from this device:`,
  items: lost.map(({ id, title }) => ({ id, text: title })),
  act: 'Discard and log out',
  dismiss: 'Stay',
  destructive: true,
})
