import * as v from 'valibot'

// Field schemas for bodies, answers and forms. The login and the addresses of tables need only these; wireFields.ts has the others.

/** The messages whose words rule 1.7 gives. */
export const FIRST_MESSAGES = {
  required: 'is required',
  email: 'invalid email',
  max: (max: number) => `must be shorter than or equal to ${max} characters`,
} as const

/** True for text that can be stored (rule 12.5): PostgreSQL cannot store NUL, and a lone surrogate has no UTF-8 form. */
export const isStorable = (value: string) => !/[\0\p{Surrogate}]/u.test(value)

/** Text of 1 to `max` characters, trimmed at both ends. */
export const text = (max: number) =>
  v.pipe(
    v.string(FIRST_MESSAGES.required),
    v.check(isStorable, 'must be plain text'),
    v.trim(),
    v.nonEmpty(FIRST_MESSAGES.required),
    v.maxLength(max, FIRST_MESSAGES.max(max)),
  )

export const guid = v.pipe(
  v.string(FIRST_MESSAGES.required),
  v.nonEmpty(FIRST_MESSAGES.required),
  v.uuid('must be an id'),
  v.toLowerCase(),
)

const DAY = /^20\d\d-\d\d-\d\d$/

/** True for a real day. A rule that compares two days must pass while one of them is not real. */
export function isCalendarDay(day: string): boolean {
  if (!DAY.test(day)) return false
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

/** A Singapore calendar day, `2026-11-21`, between 2000 and 2099. Each report limits its own range. */
export const day = v.pipe(
  v.string(FIRST_MESSAGES.required),
  v.nonEmpty(FIRST_MESSAGES.required),
  v.check(isCalendarDay, 'must be a date'),
)

/** Invisible characters that come along with text copied from a contact or a web page: direction marks, zero-width characters, soft hyphens. */
const INVISIBLE = /[\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g

/** Keeps the visible characters of a value that is not prose, in their plain form: `６` of an East Asian keyboard becomes `6`. */
export const visibleText = v.transform((value: string) => value.replaceAll(INVISIBLE, '').normalize('NFKC'))

/** A domain has a dot, and no two dots are adjacent. */
const DOTTED = /^[^.@]+(?:\.[^.@]+)*@[^.@]+\.(?:[^.@]+\.)*(?:[A-Za-z]{2,}|xn--[A-Za-z\d-]+)$/

/**
 * An address that mail servers accept, even `o'brien&co@my--shop.example`: the form that browsers check in an email field, with a dot in the domain.
 * Also the login name of a merchant account.
 */
export const email = v.pipe(
  v.string(FIRST_MESSAGES.required),
  visibleText,
  text(254),
  v.rfcEmail(FIRST_MESSAGES.email),
  v.regex(DOTTED, FIRST_MESSAGES.email),
  v.toLowerCase(),
)

/** The login name of a POS user, unique on the whole platform. */
export const username = v.pipe(text(64), v.toLowerCase())
