import * as v from 'valibot'
import { guid } from '../fieldSchemas.ts'
import { cents, count, instant, optionalText } from '../wireFields.ts'

/** The header of a report: a `DeviceReport` as JSON in ASCII. It rides on any call to /api; the cookie says which till it is of. */
export const DEVICE_REPORT_HEADER = 'device-report'

/** The header of an answer to a report: `remove` asks a revoked till to remove what it stores. What waits to upload stays. */
export const DEVICE_ORDER_HEADER = 'device-order'

export const Waiting = v.object({
  count,
  cents,
  /** When the oldest of them was redeemed, by the clock of the device. */
  oldest_at: v.nullable(instant),
})

/** What a till says of itself. Not strict: a till may be a release ahead of the server. */
export const DeviceReport = v.object({
  /** By the clock of the device. */
  at: instant,
  build: optionalText(64),
  update_waits: v.boolean(),
  /** Whether the browser has promised never to clear what is stored; null before it was asked. */
  persistent: v.nullable(v.boolean()),
  /** Redeemed at this device, and not uploaded. */
  waiting: Waiting,
  /** Uploads that the server refused, and nobody has read why. */
  refused: count,
  /** Who is logged in. */
  user: v.nullable(guid),
  /** It has removed what it stored, as it was asked to (DEVICE_ORDER_HEADER). */
  removed: v.optional(v.boolean()),
})

export type DeviceReport = v.InferOutput<typeof DeviceReport>
