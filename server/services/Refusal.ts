import type { ErrorCode, FieldIssue } from '../../src/contract/envelope.ts'

export interface RefusalFacts {
  fields?: FieldIssue[]
  /** Given where the refusal is about one caller. server/http/answerFailure.ts knows the time of one about the server. */
  retryAfterSeconds?: number
  /** What the contract has beside this code: the worth of a refused voucher, the record as it is now … */
  data?: Record<string, unknown>
}

/** An expected "no", by code. What it says and on which status it travels is the business of server/http. */
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
 * Tells a caller that nothing was done, because more is asked than can be answered. There is one for all: in a rush, thousands
 * of stack traces would cost a tenth of the server's time.
 */
export const SERVER_BUSY = new Refusal('SERVER_BUSY')

/** Tells a caller who tries several times at once to come again soon. */
export const AGAIN_SOON = new Refusal('TOO_MANY_ATTEMPTS', { retryAfterSeconds: 1 })

/** What somebody is told who may try again at `until`. Retry-After takes whole seconds, at least one. */
export const tooManyAttempts = (until: Date, now: Date): Refusal =>
  new Refusal('TOO_MANY_ATTEMPTS', {
    retryAfterSeconds: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000)),
  })
