import { subscribeKey } from 'valtio/vanilla/utils'
import { sendReport } from '../api/download.ts'
import { isDown } from '../domain/connectivity.ts'
import type { TillWire } from '../domain/TillWire.ts'
import { connectivity } from '../offline/connectivity/connectivity.ts'
import { serveOutbox, wakeOutbox, wakeOutboxOnReturn } from '../offline/outbox/outboxSender.ts'
import { openTill, wakeTill, wakeTillOnReturn } from '../offline/redemptions/openTill.ts'

/*
 * Serves the rows that wait on this device: downloads of the logged-in user, and vouchers that tills took. It is separate from the
 * rest of the wiring, because the simulation also starts its pages with it.
 */

/** Sends the downloads of `owner` from now on; none when no user is logged in. `onReady` is called for each file that is on the device. */
export const serveDownloads = (owner: string | undefined, onReady: (id: string, filename: string) => void): void =>
  serveOutbox(owner, { send: sendReport, onReady })

/** Sends the device's vouchers over `wire` from now on, and wakes both queues on every occasion. */
export function serveTill(wire: TillWire): void {
  openTill(wire)
  wakeOnOccasion()
}

function wakeOnOccasion() {
  const returned = () => {
    wakeOutboxOnReturn()
    wakeTillOnReturn()
  }
  const wakeAll = () => {
    wakeOutbox(true)
    wakeTill(true)
  }
  subscribeKey(connectivity, 'verdict', (verdict) => !isDown(verdict) && returned())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wakeAll())
  addEventListener('pageshow', wakeAll)
}
