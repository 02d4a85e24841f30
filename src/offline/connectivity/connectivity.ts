import { proxy } from 'valtio/vanilla'
import type { ConnectivityVerdict, Contact } from '../../domain/connectivity.ts'

interface Connectivity {
  verdict: ConnectivityVerdict
  /** Since when the verdict holds: milliseconds of this device's clock, 0 before anything is known. */
  since: number
  /** With `offline`: a page of the network's own answered, which wants a login there. */
  captive: boolean
  /** When our server last answered this device, 0 if never; moves at most once a second. */
  lastContactAt: number
  /** How often our server answered again after the connection was down or in doubt: what failed meanwhile may be read again. */
  returns: number
}

/** A verdict from real traffic and a probe; `watchConnectivity` keeps it, which is loaded after the first screen. */
export const connectivity = proxy<Connectivity>({
  verdict: 'online',
  since: 0,
  captive: false,
  lastContactAt: 0,
  returns: 0,
})

type Report = [contact: Contact, retryAfterMs?: number]

let listener: ((...report: Report) => void) | undefined
/** Of calls that ended before anybody listened: a list that failed then waits for the connection too. */
const unheard: Report[] = []

/** The api layer's outcome of every call. */
export const reportContact = (...report: Report): void => void (listener ? listener(...report) : unheard.push(report))

export function listenForContacts(heard: (...report: Report) => void): void {
  listener = heard
  for (const report of unheard.splice(0)) heard(...report)
}
