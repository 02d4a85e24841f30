import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { guid } from '../fieldSchemas.ts'
import { LIMITS } from '../limits.ts'
import { count, instant, listOf, quantity } from '../wireFields.ts'

/** What a trouble is about: the session (a refresh that failed, a 401), the connection, or what waits to be sent. */
const TROUBLE_KINDS = ['session', 'connection', 'queue'] as const

/** Codes that no server gives: of the transport, and verdicts on the connection. */
export const CODES_OF_DEVICES = ['NETWORK', 'TIMEOUT', 'NOT_OUR_ANSWER', 'UNREACHABLE', 'OFFLINE'] as const

/** Something that went wrong on a device. Codes, times and ids alone: nothing that anybody typed. */
export const Trouble = v.object({
  about: v.picklist(TROUBLE_KINDS),
  /** Of the server, of the transport, or the verdict on the connection. A newer device may have codes that we do not know. */
  code: v.pipe(v.string(), v.regex(/^[A-Z][A-Z_\d]{1,39}$/, 'must be a code')),
  /** The last time, by the device's clock. */
  at: instant,
  /** How often in a row. */
  times: quantity,
  /** Of the server's log, where it was the server that said no. */
  request_id: v.optional(guid),
})
export type Trouble = v.InferOutput<typeof Trouble>

export const reportTroubles = endpoint({
  method: 'POST',
  path: '/device/troubles',
  access: 'session',
  summary: 'Tell what went wrong on this device, for the log and the metrics',
  body: v.strictObject({ troubles: v.pipe(listOf(Trouble, LIMITS.troubles), v.minLength(1)) }),
  answer: v.object({ noted: count }),
})
