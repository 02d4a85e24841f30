import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { day } from './fieldSchemas.ts'
import { cents, instant, month } from './wireFields.ts'

/** Whole cents that may be below zero. */
const signedCents = v.pipe(v.number(), v.safeInteger())

/** The amount that my scope is owed for one closed month, and its parts (rule 10.9). Amounts are cents; a master's are those of its branches. */
export const Statement = v.object({
  month,
  made_at: instant,
  /** Those of the month, and those that its corrections add or take away. */
  vouchers: v.pipe(v.number(), v.safeInteger()),
  /** Redeemed in the month: the sum of its monthly report at `made_at`. */
  redeemed_cents: cents,
  /** Late uploads and late voids of earlier months, whose statements stay as they are. */
  corrections_cents: signedCents,
  /** A total below zero of the statement before. 0 for a master. */
  brought_forward_cents: signedCents,
  /** The three together. */
  total_cents: signedCents,
  /** A Singapore day; null if nothing is paid, because the total of the organisation is not above zero. */
  due_on: v.nullable(day),
  paid_on: v.nullable(day),
  /** The bank's reference of the payment. */
  reference: v.nullable(v.string()),
})
export type Statement = v.InferOutput<typeof Statement>

export const Payments = v.object({
  as_of: instant,
  /** True for a master, who sees the share of its branches. */
  is_share: v.boolean(),
  /** The newest first; at most five years. */
  statements: v.array(Statement),
  /** The month that has no statement yet, and when it is made. */
  next: v.object({ month, closes_at: instant }),
})
export type Payments = v.InferOutput<typeof Payments>

export const readPayments = endpoint({
  method: 'GET',
  path: '/payments',
  access: { feature: 'payments', action: 'view' },
  summary: 'What my scope is paid for each closed month, and when',
  answer: Payments,
})

export const STATEMENT_FORMATS = ['pdf', 'csv'] as const
export type StatementFormat = (typeof STATEMENT_FORMATS)[number]

export const downloadStatement = endpoint({
  method: 'POST',
  path: '/payments/statement',
  access: { feature: 'payments', action: 'download' },
  summary: 'The statement of one month as PDF or CSV',
  body: v.strictObject({ month, format: v.picklist(STATEMENT_FORMATS) }),
  // Bytes first: some client generators read only the first type, and bytes can hold text.
  answer: { file: ['application/pdf', 'text/csv'] },
})
