import type { ConnectivityVerdict } from '../../domain/connectivity.ts'

interface Connection {
  verdict: ConnectivityVerdict
  captive: boolean
}

/** The state of the connection, in the fewest words that tell the four states apart. */
export function connectivityTitle({ verdict, captive }: Connection): string {
  if (captive && verdict === 'offline') return 'This network asks you to log in'
  return TITLES[verdict]
}

const TITLES: Record<ConnectivityVerdict, string> = {
  online: 'Online',
  slow: 'The connection is slow',
  unreachable: 'Our service cannot be reached',
  offline: 'No connection',
}
