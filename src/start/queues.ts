import { subscribeKey } from 'valtio/vanilla/utils'
import { sendReport } from '../api/download.ts'
import { isDown } from '../domain/connectivity.ts'
import type { TillWire } from '../domain/TillWire.ts'
import { connectivity } from '../offline/connectivity/connectivity.ts'
import { serveOutbox, wakeOutbox, wakeOutboxOnReturn } from '../offline/outbox/outboxSender.ts'
import { openTill, wakeTill, wakeTillOnReturn } from '../offline/redemptions/openTill.ts'

/*
 * Serves the rows that wait on this device: downloads of the logged-in user, and vouchers that the till took. This file is
 * separate from the other wiring, because the simulation also starts its pages with it.
 */

/** Sends the downloads of `owner`, the logged-in user if any, from now on. Calls `onReady` when a file is on the device. */
export const serveDownloads = (owner: string | undefined, onReady: (id: string, filename: string) => void): void =>
  serveOutbox(owner, { send: sendReport, onReady })

/** Sends the device's vouchers over `wire` from now on, and wakes both queues when the connection or the tab is back. */
export function serveTill(wire: TillWire): void {
  openTill(wire)
  wakeOnEvents()
}

function wakeOnEvents() {
  const wakeOnReturn = () => {
    wakeOutboxOnReturn()
    wakeTillOnReturn()
  }
  const wakeAll = () => {
    wakeOutbox(true)
    wakeTill(true)
  }
  subscribeKey(connectivity, 'verdict', (verdict) => !isDown(verdict) && wakeOnReturn())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wakeAll())
  addEventListener('pageshow', wakeAll)
}
