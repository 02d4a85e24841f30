import type { ConnectivityVerdict } from '../../domain/connectivity.ts'

export interface Connection {
  verdict: ConnectivityVerdict
  captive: boolean
}

/** True if the page of a network answers in place of our server and asks for a login. */
export const asksForLogin = ({ verdict, captive }: Connection): boolean => captive && verdict === 'offline'

/** Returns the state of the connection in a few words. */
export const connectivityTitle = (connection: Connection): string =>
  asksForLogin(connection) ? 'This network asks you to log in' : TITLES[connection.verdict]

const TITLES: Record<ConnectivityVerdict, string> = {
  online: 'Online',
  slow: 'The connection is slow',
  unreachable: 'Our service cannot be reached',
  offline: 'No connection',
}
