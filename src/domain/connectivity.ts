/**
 * How the connection to our server is (decision 0029). `slow` still serves; `unreachable`: our service does not answer, or only with
 * its own failure; `offline`: no network, or a network whose own page answers in our place.
 */
export type ConnectivityVerdict = 'online' | 'slow' | 'unreachable' | 'offline'

/** Nothing that needs the server can be done now. */
export const isDown = (verdict: ConnectivityVerdict): boolean => verdict === 'unreachable' || verdict === 'offline'

/**
 * What came of one call or probe. `ours`: our server, in time; `late`: our server, after a long wait; `busy`: our server asks for time
 * (503 with Retry-After); `fault`: any other 5xx; `foreign`: something else answered in its place; `silent`: nobody answered.
 */
export type Contact = 'ours' | 'late' | 'busy' | 'fault' | 'foreign' | 'silent'

/** What came of a probe, and how long our server asked to be left alone. */
export interface Probed {
  contact: Exclude<Contact, 'busy'>
  retryAfterMs?: number
}
