import { subscribeKey } from 'valtio/vanilla/utils'
import { sendReport } from '../api/download.ts'
import { isDown } from '../domain/connectivity.ts'
import type { TillWire } from '../domain/TillWire.ts'
import { connectivity } from '../offline/connectivity/connectivity.ts'
import { serveOutbox, wakeOutbox, wakeOutboxOnReturn } from '../offline/outbox/outboxSender.ts'
import { openTill, wakeTill, wakeTillOnReturn } from '../offline/redemptions/openTill.ts'

/*
 * What waits on this device: the downloads of whoever is logged in, and the vouchers that tills took. Apart from the rest of the
 * wiring, for the simulation starts its pages with it as well.
 */

/** The downloads of `owner` are sent from now on; nobody's, when nobody is logged in. `onReady` is told of each file that is here. */
export const serveDownloads = (owner: string | undefined, onReady: (id: string, filename: string) => void): void =>
  serveOutbox(owner, { send: sendReport, onReady })

/** The device's vouchers are sent from now on, over `wire`, and both queues whenever there is an occasion. */
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
