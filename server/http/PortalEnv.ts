import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorCode } from '../../src/contract/envelope.ts'
import type { BoundedQueue } from '../services/BoundedQueue.ts'
import type { FileAnswer } from './Route.ts'

/** The hashes by which a CSP allows the inline scripts and styles of a page. */
export interface InlineSources {
  scripts: readonly string[]
  styles: readonly string[]
}

/** The values in Hono's context. The bindings exist on a real socket, not in `app.request()`. */
export interface PortalEnv {
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse }
  Variables: {
    requestId: string
    userId?: string
    route?: string
    /** The queue in which the call waits for its turn. */
    queue?: BoundedQueue
    error?: ErrorCode
    /** The answer, if it is a file: it keeps a database connection until it is read or released. */
    file?: Pick<FileAnswer, 'release'>
    inline?: InlineSources
  }
}
