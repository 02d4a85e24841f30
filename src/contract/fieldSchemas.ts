import * as v from 'valibot'

/**
 * Field schemas that bodies, answers and forms are built from; those of bodies and answers alone are in wireFields.ts, since the
 * login and the addresses of tables are read before them. Messages are the given words (rule 1.7), with `{max}` and the
 * like already filled in; a rule's name travels beside them in `data.fields`.
 */
export const FIRST_MESSAGES = {
  required: 'is required',
  email: 'invalid email',
  max: (max: number) => `must be shorter than or equal to ${max} characters`,
} as const

/** PostgreSQL cannot store NUL, and a lone surrogate has no UTF-8 form: both are refused at the border (rule 12.5). */
export const storable = (value: string) => !/[\0\p{Surrogate}]/u.test(value)

/** Text of 1 to `max` characters, trimmed at both ends. */
export const text = (max: number) =>
  v.pipe(
    v.string(FIRST_MESSAGES.required),
    v.check(storable, 'must be plain text'),
    v.trim(),
    v.nonEmpty(FIRST_MESSAGES.required),
    v.maxLength(max, FIRST_MESSAGES.max(max)),
  )

export const guid = v.pipe(v.string(), v.uuid('must be an id'), v.toLowerCase())

const DAY = /^20\d\d-\d\d-\d\d$/

/** Whether it is a real day. Rules over two days also run while one of them is not, and must not judge then. */
export function isCalendarDay(day: string): boolean {
  if (!DAY.test(day)) return false
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

/** A Singapore calendar day, `2026-11-21`, between 2000 and 2100: wide enough for any voucher, too narrow for a full-table scan. */
export const day = v.pipe(
  v.string(FIRST_MESSAGES.required),
  v.nonEmpty(FIRST_MESSAGES.required),
  v.check(isCalendarDay, 'must be a date'),
)

/** The sign-in name of a merchant account. */
export const email = v.pipe(text(254), v.email(FIRST_MESSAGES.email), v.toLowerCase())

/** The sign-in name of a POS user, unique on the whole platform. */
export const username = v.pipe(text(64), v.toLowerCase())
