import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { guid } from '../fieldSchemas.ts'
import { LIMITS } from '../limits.ts'
import { count, instant, listOf, quantity } from '../wireFields.ts'

/** The subject of a trouble: the session (a failed refresh, a 401), the connection, or the queue of unsent data. */
const TROUBLE_KINDS = ['session', 'connection', 'queue'] as const

/** Codes that only devices give: failures of the transport, and verdicts on the connection. */
export const CODES_OF_DEVICES = ['NETWORK', 'TIMEOUT', 'CUT_OFF', 'NOT_OUR_ANSWER', 'UNREACHABLE', 'OFFLINE'] as const

/** A problem on a device. Only codes, times and ids: never anything that a user typed. */
export const Trouble = v.object({
  about: v.picklist(TROUBLE_KINDS),
  /** The code of the server or the transport, or the verdict on the connection. A newer device may send codes that this release does not know. */
  code: v.pipe(v.string(), v.regex(/^[A-Z][A-Z_\d]{1,39}$/, 'must be a code')),
  /** The time of its last occurrence, by the device's clock. */
  at: instant,
  /** The number of times in a row. */
  times: quantity,
  /** The request id in the server's log, when the server refused. */
  request_id: v.optional(guid),
})
export type Trouble = v.InferOutput<typeof Trouble>

export const reportTroubles = endpoint({
  method: 'POST',
  path: '/device/troubles',
  access: 'session',
  summary: 'Report problems of this device, for the log and the metrics',
  body: v.strictObject({ troubles: v.pipe(listOf(Trouble, LIMITS.troubles), v.minLength(1)) }),
  answer: v.object({ noted: count }),
})
