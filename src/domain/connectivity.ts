/**
 * The state of the connection to our server (decision 0029). `slow` still works; `unreachable`: our service does not answer, or only with failures;
 * `offline`: no network, or a network whose own page answers in place of our server.
 */
export type ConnectivityVerdict = 'online' | 'slow' | 'unreachable' | 'offline'

/** True if actions that need the server cannot be done now. */
export const isDown = (verdict: ConnectivityVerdict): boolean => verdict === 'unreachable' || verdict === 'offline'

/**
 * The result of one call or probe. `ours`: our server, in time; `late`: our server, after a long wait; `busy`: our server asks for time (503 with
 * Retry-After); `fault`: any other 5xx; `foreign`: something else answered in its place; `silent`: no answer.
 */
export type Contact = 'ours' | 'late' | 'busy' | 'fault' | 'foreign' | 'silent'

/** The result of a probe, and how long our server asked not to be called. */
export interface Probed {
  contact: Exclude<Contact, 'busy'>
  retryAfterMs?: number
}
