import * as v from 'valibot'
import { guid } from '../fieldSchemas.ts'
import { cents, count, instant, optionalText } from '../wireFields.ts'

/** The header with a `DeviceReport` as JSON in ASCII. Any call to /api may carry it; the cookie identifies the till. */
export const DEVICE_REPORT_HEADER = 'device-report'

/** The header of the answer to a report: `remove` asks a revoked till to remove its stored data, except what waits to upload. */
export const DEVICE_ORDER_HEADER = 'device-order'

export const Waiting = v.object({
  count,
  cents,
  /** The time when the oldest of them was redeemed, by the clock of the device. */
  oldest_at: v.nullable(instant),
})

/** A till's report about itself. Not strict: a till may be a release ahead of the server. */
export const DeviceReport = v.object({
  /** By the clock of the device. */
  at: instant,
  build: optionalText(64),
  update_waits: v.boolean(),
  /** True when the browser has promised never to clear the stored data; null before it was asked. */
  persistent: v.nullable(v.boolean()),
  /** Redeemed on this device, and not uploaded yet. */
  waiting: Waiting,
  /** The number of refused uploads whose reason was not read yet. */
  refused: count,
  /** The logged-in user. */
  user: v.nullable(guid),
  /** True when the till has removed its stored data as asked (DEVICE_ORDER_HEADER). */
  removed: v.optional(v.boolean()),
})

export type DeviceReport = v.InferOutput<typeof DeviceReport>
