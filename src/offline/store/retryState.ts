import * as v from 'valibot'

/** The fields of a waiting row that say when to try again (offline/queue.ts). Times are milliseconds of this device's clock. */
export const RETRY_STATE = {
  /** The number of failures in a row. */
  attempts: v.number(),
  /** The row is not sent before this time. */
  nextAt: v.number(),
  /** When `nextAt` was set. A clock that shows less than this was turned back, and the row would wait too long. */
  putOffAt: v.optional(v.number()),
  /**
   * True if the connection failed, false if the server answered. A row that is paused for the connection is sent as soon as any row
   * is due.
   */
  pausedForConnection: v.optional(v.boolean()),
  /** Set if a busy server asked for a wait until `nextAt`: of `all` rows, or of the `backlog`, the rows that no cashier waits for. */
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
