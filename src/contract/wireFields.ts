import * as v from 'valibot'
import type { ErrorCode } from './envelope.ts'
import { FIRST_MESSAGES, isCalendarDay, isStorable } from './fieldSchemas.ts'
import { LIMITS } from './limits.ts'

// The messages and field schemas that the first screen does not need. fieldSchemas.ts has those that it needs.

export const MESSAGES = {
  ...FIRST_MESSAGES,
  url: 'invalid URL',
  digits: 'must be digits',
  alphanumeric: 'must be alphanumeric',
  alphanumericWithDashes: 'must have letters, digits and dashes only',
  min3: 'must be at least 3 characters',
  countAtLeast: 'must be 0 or more',
  brandRequired: 'You must add a Participating Merchant Brand to submit.',
  termsRequired: 'You must accept the Terms and Conditions',
  number: 'must be a number',
  passwordMismatch: 'password does not match',
  exactDigits: (length: number) => `must be exactly ${length} digits`,
  dateRange: (duration: string) => `date range must not exceed ${duration}`,
} as const

/**
 * Gives a check an error code of its own instead of VALIDATION_FAILED. The code is attached to the predicate, which valibot hands back as the issue's
 * `requirement`.
 */
export const withErrorCode = <F extends (...input: never[]) => boolean>(code: ErrorCode, predicate: F) =>
  Object.assign(predicate, { code })

/** Text that may be empty, as in search boxes. */
export const optionalText = (max: number) =>
  v.pipe(v.string(), v.check(isStorable, 'must be plain text'), v.maxLength(max, MESSAGES.max(max)))

/** A list of at most `most` items. Its length is checked before its items; otherwise ten thousand bad items would be reported one by one (TBL-08). */
export function listOf<const I extends v.GenericSchema>(item: I, most: number, words?: string) {
  const list = v.array(item)
  const length = v.maxLength<unknown[], number, string | undefined>(most, words)
  const lengthCheckedFirst: typeof list = {
    ...list,
    '~run': (dataset, config) => {
      const { value } = dataset
      if (!Array.isArray(value) || value.length <= most) return list['~run'](dataset, config)
      const { issues } = length['~run']({ typed: true, value }, config)
      return { typed: false, value, issues } as v.FailureDataset<v.InferIssue<I>>
    },
  }
  // Repeats the limit for the OpenAPI document, which is made from pipes.
  return v.pipe(lengthCheckedFirst, v.maxLength(most, words))
}

/** A time in RFC 3339 and UTC, like every instant in the contract. */
export const instant = v.pipe(v.string(), v.isoTimestamp('must be a date and time'))

/** A Singapore calendar month, `2026-11`. */
export const month = v.pipe(
  v.string(MESSAGES.required),
  v.nonEmpty(MESSAGES.required),
  v.check((value) => isCalendarDay(`${value}-01`), 'must be a month'),
)

/** Integer cents: money is never sent as a fraction. */
export const cents = v.pipe(v.number(MESSAGES.number), v.safeInteger(), v.minValue(0))

export const count = v.pipe(
  v.number(MESSAGES.number),
  v.safeInteger(MESSAGES.number),
  v.minValue(0, MESSAGES.countAtLeast),
)

/** A number of outlets, terminals and the like, as typed by a user. */
export const quantity = v.pipe(count, v.maxValue(100_000, 'must be 100000 or less'))

/** 32 random bytes in base64url, for mailed links and challenges. */
export const OPAQUE_TOKEN = /^[\w-]{43}$/

export const opaqueToken = v.pipe(v.string(), v.regex(OPAQUE_TOKEN, 'is not from this server'))

/** Removes every kind of dash: word processors and mail programs turn a hyphen into a long one. */
const withoutBlanksAndDashes = v.transform((value: string) => value.replaceAll(/[\s\p{Dash}]/gu, ''))

/** Reads O, I and L as the digits that they look like: no code has these letters (Crockford's base 32). */
const readLookAlikes = v.transform((code: string) => code.replaceAll('O', '0').replaceAll(/[IL]/g, '1'))

/** The code of an authenticator app, with or without the blanks that the app shows. */
export const authCode = v.pipe(
  v.string(MESSAGES.required),
  withoutBlanksAndDashes,
  v.nonEmpty(MESSAGES.required),
  v.regex(/^\d*$/, MESSAGES.digits),
  v.length(6, MESSAGES.exactDigits(6)),
)

/** A code of `length` characters in Crockford's base 32. Dashes, spaces, case and look-alikes do not matter. */
const readableCode = (length: number, message: string) =>
  v.pipe(
    v.string(MESSAGES.required),
    withoutBlanksAndDashes,
    v.nonEmpty(MESSAGES.required),
    v.toUpperCase(),
    readLookAlikes,
    v.regex(new RegExp(`^[0-9A-HJKMNP-TV-Z]{${length}}$`), message),
  )

/** 80 bits, shown as `XXXX-XXXX-XXXX-XXXX`. */
export const recoveryCode = readableCode(16, 'is not a recovery code')

/** 40 bits, shown as `XXXX XXXX`; makes a device a till. */
export const enrolmentCode = readableCode(8, 'is not a code for a till')

/** A compact JWE of `{ password, nonce }` for the key of `GET /auth/encryption_public_key` (rule 3.1), one per password field. */
export const encryptedPassword = v.pipe(
  v.string(),
  v.maxLength(LIMITS.jweLength),
  v.regex(/^[\w-]+(\.[\w-]*){4}$/, 'must be encrypted'),
)
