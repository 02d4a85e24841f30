import { subscribeKey } from 'valtio/vanilla/utils'
import type { Base } from '../api/ports.ts'
import { connectDevice } from '../api/transport.ts'
import { logOutKeepingDrafts } from '../blocks/accounts/logOut.ts'
import { DEVICE_ORDER_HEADER, DEVICE_REPORT_HEADER } from '../contract/devices/deviceReports.ts'
import { startDeviceReports } from '../offline/devices/deviceReports.ts'
import { uploadNow } from '../offline/redemptions/openTill.ts'
import { isTillInUse, removeAllStoredData } from '../offline/removeStoredData.ts'
import { auth } from '../state/auth.ts'
import { tillDevice, tillRemovalBegun, tillRemoved } from '../state/counter.ts'
import { showToast } from '../state/toasts.ts'

/**
 * Reports the state of a till to its merchant, and removes its stored data on request (decision 0079). It is in a chunk of its own,
 * because no screen waits for it.
 */
export function reportDevice(): void {
  const { changed, take } = startDeviceReports({
    isTill: () => tillDevice.removed || Object.keys(tillDevice.names).length > 0,
    cashier: () => (auth.user?.type === 'POS User' ? auth.user.guid : undefined),
    removed: () => tillDevice.removed,
  })
  const headers = (base: Base): Record<string, string> => {
    const report = base === 'api' ? take() : undefined
    return report === undefined ? {} : { [DEVICE_REPORT_HEADER]: report }
  }
  let removing: Promise<void> | undefined
  const startRemoving = () => {
    removing ??= remove()
      .catch(() => undefined)
      .finally(() => (removing = undefined))
  }
  const heard = (response: Response) => {
    if (response.headers.get(DEVICE_ORDER_HEADER) === 'remove') startRemoving()
  }
  // While a user is logged in, the till waits for an answer that repeats the request: it may be withdrawn by now.
  if (tillDevice.removing && auth.user === null) startRemoving()
  connectDevice({ headers, heard })
  subscribeKey(auth, 'user', changed)
  subscribeKey(tillDevice, 'names', changed)
}

/** Uploads first. Removes nothing while the till is in use: the request comes again with each report. */
async function remove(): Promise<void> {
  await uploadNow()
  if (await isTillInUse()) return
  tillRemovalBegun()
  const wasLoggedIn = auth.user !== null
  if (wasLoggedIn) await logOutKeepingDrafts()
  if (!(await removeAllStoredData())) return
  tillRemoved()
  if (wasLoggedIn) showToast({ tone: 'danger', text: 'Your manager revoked this till. What it stored was removed.' })
}
