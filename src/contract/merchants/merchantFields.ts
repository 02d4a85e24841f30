import * as v from 'valibot'
import { text, visibleText } from '../fieldSchemas.ts'
import { MESSAGES } from '../wireFields.ts'

// The schemas below are not in fieldSchemas.ts, because that file loads with the login page, which does not need them.

/** Reads a number as a user types it into a form, and checks it with `schema`. */
export const numberFromText = <S extends v.GenericSchema<number, number>>(schema: S) =>
  v.pipe(
    v.string(MESSAGES.required),
    v.trim(),
    v.nonEmpty(MESSAGES.required),
    v.transform((typed) => (/^-?\d+(\.\d+)?$/.test(typed) ? Number(typed) : Number.NaN)),
    schema,
  )

/** Makes a field optional in a form: empty means `null`. */
export const emptyAsNull = <S extends v.GenericSchema<string, string>>(schema: S) =>
  v.pipe(
    v.string(),
    v.transform((typed) => (typed.trim() === '' ? null : typed)),
    v.nullable(schema),
  )

export const withoutBlanks = v.transform((value: string) => value.replaceAll(/\s/g, ''))

/** A code of `length` digits, such as a PIN or a bank code. It stays text; blanks are removed. */
export const exactDigits = (length: number) =>
  v.pipe(
    v.string(MESSAGES.required),
    visibleText,
    withoutBlanks,
    v.nonEmpty(MESSAGES.required),
    v.regex(/^\d*$/, MESSAGES.digits),
    v.length(length, MESSAGES.exactDigits(length)),
  )

/** 6 digits. The form suggests the first 3: the end of the merchant ID (rule 7.5). */
export const branchPin = exactDigits(6)

/** A merchant's web page. Only http and https, because a link must not run code (WEB-03). */
export const webAddress = v.pipe(
  text(200),
  v.transform((value) => (/^[a-z][a-z+.-]*:/i.test(value) ? value : `https://${value}`)),
  v.url(MESSAGES.url),
  v.regex(/^https?:\/\/[^\s@][^\s@.]*\.[^\s@]+$/i, MESSAGES.url),
)

/** The name that the server gave an upload; the client's own file name never counts (UPL-01). */
export const uploadKey = v.pipe(
  v.string(MESSAGES.required),
  v.nonEmpty(MESSAGES.required),
  v.regex(/^[\w-]+\/[\w-]+\/[0-9a-f-]{36}$/, 'is not an upload of this portal'),
)
