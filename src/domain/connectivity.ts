/**
 * How the connection to our server is (decision 0029). `slow` still serves; `unreachable`: our service does not answer, or only with
 * its own failure; `offline`: no network, or a network whose own page answers in our place.
 */
export type ConnectivityVerdict = 'online' | 'slow' | 'unreachable' | 'offline'

/** Nothing that needs the server can be done now. */
export const isDown = (verdict: ConnectivityVerdict): boolean => verdict === 'unreachable' || verdict === 'offline'

/**
 * What came of one call or probe. `ours`: our server, in time; `late`: our server, after a long wait; `fault`: a 5xx; `foreign`:
 * something else answered in its place; `silent`: nobody answered.
 */
export type Contact = 'ours' | 'late' | 'fault' | 'foreign' | 'silent'
