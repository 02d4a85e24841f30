import type { Endpoint } from '../contract/endpoint.ts'
import type { Contact } from '../domain/connectivity.ts'
import type { ApiError } from './ApiError.ts'

/** The functions that the api layer needs from the rest of the app; main.tsx connects them. The layer itself knows neither session nor screen. */
export interface ApiPorts {
  /** Reads storage, not memory: another tab may have refreshed the token. */
  getToken: () => string | undefined
  /** The addresses of the services where this browser's session began, read from storage. `undefined` when no user is logged in. */
  sessionBaseUrls: () => BaseUrls | undefined
  onRefreshed: (token: string) => void
  /** The server answered 401 to `token`, or there is no token. Never called for a network failure (rule 4.10). */
  onUnauthorized: (error: ApiError, token: string | undefined) => void
  /** A refresh failed without an answer from the server, or a queued request could not be sent (rule 4.12). */
  onTrouble: (about: 'session' | 'queue', error: ApiError) => void
  /** Milliseconds, corrected by the server's clock. */
  serverNow: () => number
  /** Seconds since the user last did something: the server's idle limit counts the user's actions, not requests. */
  idleSeconds: () => number
  /** Runs work that sends a request: at once, except in the moment of an update (decision 0028). */
  runRequest: <T>(work: () => Promise<T>) => Promise<T>
  /**
   * Does the work while no other tab does work of this name. `isOverdue` returns true if the work took so long that another tab
   * may have started.
   */
  runAlone: <T>(name: string, work: (isLocked: boolean, isOverdue: () => boolean) => Promise<T>) => Promise<T>
  /** Reports the outcome of every call to the connectivity verdict; with `busy`, how long our server asked us to wait. */
  onContact: (contact: Contact, retryAfterMs?: number) => void
}

/** The service whose address precedes an endpoint's path. */
export type Base = Endpoint['base']
/** The address of each service. */
export type BaseUrls = Record<Base, string>

let connected: ApiPorts | undefined

export function connectApi(ports: ApiPorts): void {
  connected = ports
}

export function ports(): ApiPorts {
  if (!connected) throw new Error('The api layer was used before main.tsx connected it')
  return connected
}
