import * as v from 'valibot'

/** The fields of a waiting row that say when to try again (offline/queue.ts). Times are milliseconds of this device's clock. */
export const RETRY_STATE = {
  /** The number of failures in a row. */
  attempts: v.number(),
  /** The row is not sent before this time. */
  nextAt: v.number(),
  /** When `nextAt` was set. If the clock is now behind it, the clock was turned back since, and the row would wait that much longer. */
  putOffAt: v.optional(v.number()),
  /** True if no call got through; false if the server asked for a wait. Any row that is due then lets this one try again. */
  pausedForConnection: v.optional(v.boolean()),
  /** The server asked for a wait: until `nextAt` no row of its kind is sent, or only rows that a cashier waits for. */
  busy: v.optional(v.picklist(['all', 'backlog'])),
}

const RetryState = v.object(RETRY_STATE)
export type RetryState = v.InferOutput<typeof RetryState>

/** Makes a row due at once. */
export const DUE_NOW = {
  nextAt: 0,
  putOffAt: undefined,
  pausedForConnection: undefined,
  busy: undefined,
} satisfies Partial<RetryState>
