/** What the line between browser and server does to a request. `navigator.onLine` stays true in every one of them. */
export type LineMode =
  | { kind: 'up' }
  /** Nobody listens on the port; open sockets are cut. */
  | { kind: 'refuse' }
  /** The request is swallowed: no answer, no end. */
  | { kind: 'hang' }
  /** A proxy answers 503 in the server's place. */
  | { kind: 'unavailable' }
  /** A hotel page answers 200 HTML to everything. */
  | { kind: 'captive' }
  | { kind: 'slow'; delayMs?: number; bytesPerSecond?: number }

export interface SentRequest {
  method: string
  /** Without the query. */
  path: string
  query: string
  headers: Record<string, string>
  body: string
  /** The status the browser got, or `undefined` while it has none: hung, cut or still under way. */
  status: number | undefined
}

export type RequestFilter = (request: SentRequest) => boolean
