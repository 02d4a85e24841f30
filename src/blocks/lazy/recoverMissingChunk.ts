import { probeServer } from '../../api/probeServer.ts'
import { reportContact } from '../../offline/connectivity/connectivity.ts'
import { mayReload, releaseName, reload } from './reload.ts'

/**
 * Reloads because a chunk of this screen is gone from the server and from this device: the reload brings the current release. Runs at most once per
 * release and tab, only when the server answers, never over unsaved work (offline 21, 22), and not when the person has left the screen meanwhile.
 */
export async function recoverMissingChunk(isStillShown: () => boolean): Promise<void> {
  if (wasTried() || !mayReload() || !(await serverAnswers()) || !mayReload() || !isStillShown()) return
  noteTry()
  reload()
}

const triedKey = () => `healed ${releaseName()}`
const wasTried = () => sessionStorage.getItem(triedKey()) !== null
const noteTry = () => sessionStorage.setItem(triedKey(), String(Date.now()))

/** Asks the server. The answer also updates the state of the connection. */
async function serverAnswers() {
  const { contact } = await probeServer(false)
  reportContact(contact)
  return contact === 'ours' || contact === 'late'
}
