import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorCode } from '../../src/contract/envelope.ts'
import type { Lane } from './Admission.ts'
import type { InlineSources } from './inlineSources.ts'

/** What Hono's context carries here. The bindings are there on a real socket, not in `app.request()`. */
export interface PortalEnv {
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse }
  Variables: {
    requestId: string
    /** Of a call that is traced. */
    traceId?: string
    userId?: string
    route?: string
    lane?: Lane
    error?: ErrorCode
    inline?: InlineSources
  }
}
