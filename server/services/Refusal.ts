import type { ErrorCode } from '../../src/contract/errorCodes.ts'
import type { FieldIssue } from '../../src/contract/envelope.ts'
import type { VoucherFacts } from '../../src/contract/voucher.ts'

export interface RefusalFacts {
  fields?: FieldIssue[]
  retryAfterSeconds?: number
  /** What a refused voucher was worth, for the ticket on the cashier's screen. */
  voucher?: VoucherFacts
}

/** An expected "no", by code. What it says and on which status it travels is the business of server/http. */
export class Refusal extends Error {
  override name = 'Refusal' as const
  readonly code: ErrorCode
  readonly fields: FieldIssue[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly voucher: VoucherFacts | undefined

  constructor(code: ErrorCode, { fields, retryAfterSeconds, voucher }: RefusalFacts = {}) {
    super(code)
    this.code = code
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds
    this.voucher = voucher
  }
}

/** Whole seconds until `at`, at least one: what Retry-After takes. */
export const secondsUntil = (at: Date, now: Date): number =>
  Math.max(1, Math.ceil((at.getTime() - now.getTime()) / 1_000))
