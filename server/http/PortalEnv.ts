import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorCode } from '../../src/contract/envelope.ts'
import type { BoundedQueue } from '../services/BoundedQueue.ts'
import type { FileAnswer } from './Route.ts'

/** The hashes by which a CSP allows the scripts and styles that stand in a page itself. */
export interface InlineSources {
  scripts: readonly string[]
  styles: readonly string[]
}

/** What Hono's context carries here. The bindings are there on a real socket, not in `app.request()`. */
export interface PortalEnv {
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse }
  Variables: {
    requestId: string
    userId?: string
    route?: string
    /** The queue of the call. */
    queue?: BoundedQueue
    error?: ErrorCode
    /** The answer, where it is a file: it keeps a connection until somebody has read or released it. */
    file?: Pick<FileAnswer, 'release'>
    inline?: InlineSources
  }
}
