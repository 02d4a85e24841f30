import * as v from 'valibot'
import { guid } from '../fieldSchemas.ts'
import { cents, count, instant, optionalText } from '../wireFields.ts'

/** The header with a `DeviceReport` as JSON in ASCII. Any call to /api may carry it; the cookie identifies the till. */
export const DEVICE_REPORT_HEADER = 'device-report'

/** The header that answers a report. `remove` asks a revoked till to remove its stored data, except the vouchers that wait to be uploaded. */
export const DEVICE_ORDER_HEADER = 'device-order'

/** The vouchers that were redeemed on a device and wait to be uploaded. */
export const Waiting = v.object({
  count,
  cents,
  /** The time when the oldest was redeemed, by the clock of the device. */
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
  waiting: Waiting,
  /** The number of refused uploads whose reason no cashier has read yet. */
  refused: count,
  /** The logged-in user. */
  user: v.nullable(guid),
  /** True when the till has removed its stored data as asked (DEVICE_ORDER_HEADER). */
  removed: v.optional(v.boolean()),
})

export type DeviceReport = v.InferOutput<typeof DeviceReport>
