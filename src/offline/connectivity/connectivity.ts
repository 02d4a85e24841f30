import { proxy } from 'valtio/vanilla'
import type { ConnectivityVerdict, Contact } from '../../domain/connectivity.ts'

interface Connectivity {
  verdict: ConnectivityVerdict
  /** When the verdict became true, in milliseconds of this device's clock; 0 before anything is known. */
  since: number
  /** True if the network's own login page answered in place of our server. The verdict is then `offline`. */
  captive: boolean
  /** When our server last answered this device; 0 if never. It changes at most once a second. */
  lastContactAt: number
  /** Counts the returns of the connection after it was down or in doubt. After each, failed reads are repeated. */
  returns: number
}

/** The verdict, from calls and probes. `watchConnectivity` updates it. It is loaded after the first screen. */
export const connectivity = proxy<Connectivity>({
  verdict: 'online',
  since: 0,
  captive: false,
  lastContactAt: 0,
  returns: 0,
})

type ContactReport = [contact: Contact, retryAfterMs?: number]

let listener: ((...report: ContactReport) => void) | undefined
/** Outcomes of calls that ended before the listener came. They count too, because a list that failed this early must be read again. */
const unheard: ContactReport[] = []

/** The api layer reports the outcome of every call here. */
export const reportContact = (...report: ContactReport): void =>
  void (listener ? listener(...report) : unheard.push(report))

/** Passes every outcome to `onReport`: at once those that came earlier, then each new one. */
export function listenForContacts(onReport: (...report: ContactReport) => void): void {
  listener = onReport
  for (const report of unheard.splice(0)) onReport(...report)
}
