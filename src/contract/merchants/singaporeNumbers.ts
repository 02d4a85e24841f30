import * as v from 'valibot'
import { text, visibleText } from '../fieldSchemas.ts'
import { MESSAGES } from '../wireFields.ts'
import { exactDigits, withoutBlanks } from './merchantFields.ts'

// Numbers that are issued in Singapore. They are accepted with the blanks and prefixes that people copy; impossible numbers are refused.

/** `S(048616)`, `Singapore 048616` */
const NAMED_POSTAL_CODE = /^(?:s|s'?pore|singapore)?\(?(\d+)\)?$/i

/** The first two digits are the sector; there are 82 sectors. */
const isPostalCode = (code: string) => /^(?!00)(?:[0-7]\d|8[0-2])\d{4}$/.test(code)

/** Restores the zero that a spreadsheet removes from a postal code: `18989` was `018989`. Returns undefined for anything else. */
export function withLostZero(typed: string): string | undefined {
  const code = `0${typed.trim()}`
  return isPostalCode(code) ? code : undefined
}

export const postalCode = v.pipe(
  v.string(MESSAGES.required),
  visibleText,
  withoutBlanks,
  v.transform((typed) => NAMED_POSTAL_CODE.exec(typed)?.[1] ?? typed),
  v.nonEmpty(MESSAGES.required),
  v.regex(/^\d*$/, MESSAGES.digits),
  v.length(6, ({ input }) => {
    const meant = withLostZero(input)
    return meant === undefined ? MESSAGES.exactDigits(6) : `${MESSAGES.exactDigits(6)}: ${meant}?`
  }),
  v.check((code) => code.length !== 6 || isPostalCode(code), 'must be a postal code of Singapore'),
)

const EXTENSION = /(?:ext|x)[.:]?\s*\d{1,6}$/i

/** Numbers begin with 3, 6, 8 or 9; 1800 and 800 are free of charge. */
const SINGAPORE_PHONE = /^(?:[3689]\d{7}|1800\d{7}|800\d{7})$/

/** E.164: a country code without a leading zero, and at most 15 digits in all. */
const FOREIGN_PHONE = /^(?!65)[1-9]\d{7,14}$/

function isPhone(typed: string): boolean {
  const number = typed.replace(EXTENSION, '').replaceAll(/[^\d+]/g, '')
  const digits = number.replace('+', '')
  if (number.startsWith('+') && FOREIGN_PHONE.test(digits)) return true
  return SINGAPORE_PHONE.test(number) || (digits.startsWith('65') && SINGAPORE_PHONE.test(digits.slice(2)))
}

/** A phone number as people write it: digits, blanks, dashes, a leading plus, an extension. */
export const phone = v.pipe(
  v.string(MESSAGES.required),
  visibleText,
  text(30),
  v.transform((value) => value.replaceAll(/[\u2010-\u2015\u2212]/g, '-')),
  v.check((value) => !/[/,;&]/.test(value), 'must be one number'),
  v.check((value) => /^[\d\s()+-]*$/.test(value.replace(EXTENSION, '')), MESSAGES.digits),
  v.check(isPhone, 'must be a Singapore number of 8 digits, or begin with + and the country code'),
)

/** A bank account number, with or without blanks and dashes. The shortest in use have seven digits. */
export const accountNumber = v.pipe(
  v.string(MESSAGES.required),
  visibleText,
  text(30),
  v.transform((value) => value.replaceAll(/[\s-]/g, '')),
  v.regex(/^\d*$/, MESSAGES.digits),
  v.minLength(6, 'must be at least 6 digits'),
  v.maxLength(20, MESSAGES.max(20)),
  v.regex(/[1-9]/, 'must not be zeros only'),
)

export const bankCode = v.pipe(exactDigits(4), v.notValue('0000', 'must not be zeros only'))

/** `000` is valid: Mizuho, BNP Paribas and others have it. */
export const bankBranchCode = exactDigits(3)

/** The registration number from ACRA: 9 or 10 letters and digits, whose last letter checks the others. */
export const uen = v.pipe(
  v.string(MESSAGES.required),
  visibleText,
  withoutBlanks,
  text(10),
  v.regex(/^[A-Za-z0-9]*$/, MESSAGES.alphanumeric),
  v.toUpperCase(),
  v.minLength(9, 'must be 9 or 10 characters'),
  v.check(
    (value) => !/^[STFGM]\d{7}[A-Z]$/.test(value),
    'must not be a personal NRIC or FIN: give the UEN of the business',
  ),
  v.check(isUen, 'must be a UEN as ACRA gave it: one of its letters or digits is incorrect'),
)

interface UenForm {
  pattern: RegExp
  /** The weights of the characters before the check letter. */
  weights: readonly number[]
  /** Check letters by the remainder of the sum. */
  letters: string
  shift: number
}

/** The characters of the third form, each at its value. There is no I, O, Y or Z. */
const VALUES = 'ABCDEFGHJKLMNPQRSTUVWX0123456789'

/** The UENs of businesses, of local companies, and of all others. */
const UEN_FORMS: readonly UenForm[] = [
  { pattern: /^\d{8}[A-Z]$/, weights: [10, 4, 9, 3, 8, 2, 7, 1], letters: 'XMKECAWLJDB', shift: 0 },
  { pattern: /^\d{9}[A-Z]$/, weights: [10, 8, 6, 4, 9, 7, 5, 3, 1], letters: 'ZKCMDNERGWH', shift: 0 },
  {
    pattern: /^[RST]\d{2}[A-HJ-NP-X]{2}\d{4}[A-HJ-NP-X]$/,
    weights: [4, 3, 5, 3, 10, 2, 2, 5, 7],
    letters: VALUES,
    shift: -5,
  },
]

function isUen(uen: string): boolean {
  const form = UEN_FORMS.find(({ pattern }) => pattern.test(uen))
  if (!form) return false
  const { weights, letters, shift } = form
  const valueOf = (sign: string) => (letters === VALUES ? VALUES.indexOf(sign) : Number(sign))
  const sum = weights.reduce((total, weight, at) => total + weight * valueOf(uen[at]!), shift)
  return uen.endsWith(letters[sum % 11]!)
}
