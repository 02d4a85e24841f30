import { proxy } from 'valtio/vanilla'
import type { Contact, LineVerdict } from '../../domain/line.ts'

interface Connectivity {
  verdict: LineVerdict
  /** When the line became so: milliseconds of this device's clock, 0 before anything is known. */
  since: number
  /** With `offline`: a page of the network's own answered, which wants a login there. */
  captive: boolean
  /** When our server last answered this device, 0 if never; moves at most once a second. */
  lastContactAt: number
  /** How often the line was down or in doubt and our server answered again: what failed meanwhile may be read anew. */
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

let listener: ((contact: Contact) => void) | undefined

/** The api layer's outcome of every call. Before anybody listens it is dropped: whoever begins to listen asks first. */
export const reportContact = (contact: Contact): void => listener?.(contact)

export function hearContacts(heard: (contact: Contact) => void): void {
  listener = heard
}
