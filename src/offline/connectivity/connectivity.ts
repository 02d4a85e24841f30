import { proxy } from 'valtio/vanilla'
import type { ConnectivityVerdict, Contact } from '../../domain/connectivity.ts'

interface Connectivity {
  verdict: ConnectivityVerdict
  /** Since when the verdict holds: milliseconds of this device's clock, 0 before anything is known. */
  since: number
  /** True if the network's own login page answered; only with `offline`. */
  captive: boolean
  /** When our server last answered this device, 0 if never; changes at most once a second. */
  lastContactAt: number
  /** Counts how often our server answered again after the connection was down or in doubt: failed reads may then be repeated. */
  returns: number
}

/** The verdict from real traffic and a probe. `watchConnectivity`, which is loaded after the first screen, updates it. */
export const connectivity = proxy<Connectivity>({
  verdict: 'online',
  since: 0,
  captive: false,
  lastContactAt: 0,
  returns: 0,
})

type ContactReport = [contact: Contact, retryAfterMs?: number]

let listener: ((...report: ContactReport) => void) | undefined
/** Outcomes of calls that ended before the listener came: a list that failed this early must also be read again. */
const unheard: ContactReport[] = []

/** Takes the outcome of every call from the api layer. */
export const reportContact = (...report: ContactReport): void =>
  void (listener ? listener(...report) : unheard.push(report))

/** Passes every outcome to `onReport` from now on, and at once those that came earlier. */
export function listenForContacts(onReport: (...report: ContactReport) => void): void {
  listener = onReport
  for (const report of unheard.splice(0)) onReport(...report)
}
