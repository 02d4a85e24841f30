import * as v from 'valibot'

/** How long a row that waits for the server rests (offline/queue.ts), whatever its kind. Times are milliseconds of this device's clock. */
export const REST = {
  /** Failures in a row. */
  attempts: v.number(),
  /** It is not sent before. */
  nextAt: v.number(),
  /** When `nextAt` was set: a clock that is behind it was turned back since, and the row would wait for as long. */
  putOffAt: v.optional(v.number()),
  /** Because nothing got through, not because the server asked for time: then whatever is due lets it try again. */
  pausedForConnection: v.optional(v.boolean()),
  /** The server asked for time: until `nextAt` nothing of its kind is sent, or only what somebody waits for at the counter. */
  busy: v.optional(v.picklist(['all', 'backlog'])),
}

const Rest = v.object(REST)
export type Rest = v.InferOutput<typeof Rest>

/** Due at once. */
export const NO_REST = {
  nextAt: 0,
  putOffAt: undefined,
  pausedForConnection: undefined,
  busy: undefined,
} satisfies Partial<Rest>
