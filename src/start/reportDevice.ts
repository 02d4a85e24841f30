import { subscribeKey } from 'valtio/vanilla/utils'
import type { Base } from '../api/ports.ts'
import { connectDevice } from '../api/transport.ts'
import { logOutKeepingDrafts } from '../blocks/accounts/logOut.ts'
import { DEVICE_ORDER_HEADER, DEVICE_REPORT_HEADER } from '../contract/devices/deviceReports.ts'
import { startDeviceReports } from '../offline/devices/deviceReports.ts'
import { uploadNow } from '../offline/redemptions/openTill.ts'
import { isTillInUse, removeAllStoredData } from '../offline/removeStoredData.ts'
import { auth } from '../state/auth.ts'
import { tillDevice, noteRemovalStarted, noteRemovalDone } from '../state/counter.ts'
import { showToast } from '../state/toasts.ts'

/**
 * Reports the state of a till to its merchant, and removes its stored data on request (decision 0079). It is a separate chunk,
 * because no screen waits for it.
 */
export function reportDevice(): void {
  const { prepareAgain, take } = startDeviceReports({
    isTill: () => tillDevice.removed || Object.keys(tillDevice.names).length > 0,
    cashier: () => (auth.user?.type === 'POS User' ? auth.user.guid : undefined),
    hasRemovedData: () => tillDevice.removed,
  })
  const headers = (base: Base): Record<string, string> => {
    const report = base === 'api' ? take() : undefined
    return report === undefined ? {} : { [DEVICE_REPORT_HEADER]: report }
  }
  let removing: Promise<void> | undefined
  const startRemoving = () => {
    removing ??= removeStoredData()
      .catch(() => undefined)
      .finally(() => (removing = undefined))
  }
  const readAnswer = (response: Response) => {
    if (response.headers.get(DEVICE_ORDER_HEADER) === 'remove') startRemoving()
  }
  // While a user is logged in, the till waits until an answer repeats the request, which may have been withdrawn.
  if (tillDevice.removing && auth.user === null) startRemoving()
  connectDevice({ headers, readAnswer })
  subscribeKey(auth, 'user', prepareAgain)
  subscribeKey(tillDevice, 'names', prepareAgain)
}

/** Uploads, then removes the stored data. While the till is in use it removes nothing: each report brings the request again. */
async function removeStoredData(): Promise<void> {
  await uploadNow()
  if (await isTillInUse()) return
  noteRemovalStarted()
  const wasLoggedIn = auth.user !== null
  if (wasLoggedIn) await logOutKeepingDrafts()
  if (!(await removeAllStoredData())) return
  noteRemovalDone()
  if (wasLoggedIn) showToast({ tone: 'danger', text: 'Your manager revoked this till. What it stored was removed.' })
}
