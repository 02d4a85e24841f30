import type { ErrorCode, FieldIssue } from '../../src/contract/envelope.ts'

export interface RefusalFacts {
  fields?: FieldIssue[]
  /** Set when the refusal is about one caller. When it is about the server, server/http/answerFailure.ts sets the time. */
  retryAfterSeconds?: number
  /** The data that the contract describes for this code, such as the value of a refused voucher or the current record. */
  data?: Record<string, unknown>
}

/** An expected "no", identified by its code. server/http adds the message and the HTTP status. */
export class Refusal extends Error {
  override name = 'Refusal' as const
  readonly code: ErrorCode
  readonly fields: FieldIssue[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly data: Record<string, unknown> | undefined

  constructor(code: ErrorCode, { fields, retryAfterSeconds, data }: RefusalFacts = {}) {
    super(code)
    this.code = code
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds
    this.data = data
  }
}

/**
 * Tells a caller that nothing was done because the server has too much to do. All callers get this one object, because in a rush thousands of stack
 * traces would cost a tenth of the server's time.
 */
export const SERVER_BUSY = new Refusal('SERVER_BUSY')

/** Tells a caller who makes several attempts at once to come again soon. */
export const AGAIN_SOON = new Refusal('TOO_MANY_ATTEMPTS', { retryAfterSeconds: 1 })

/** Returns the refusal for a caller who may try again at `until`. Retry-After takes whole seconds, at least one. */
export const tooManyAttempts = (until: Date, now: Date): Refusal =>
  new Refusal('TOO_MANY_ATTEMPTS', {
    retryAfterSeconds: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000)),
  })
