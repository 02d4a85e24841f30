import * as v from 'valibot'
import type { VoucherStatus } from '../contract/tables/lists.ts'
import { checkDigit, hasValidCheckDigit, serial as Serial } from '../contract/vouchers.ts'
import { readSignedVoucher } from './signedVouchers.ts'

export const PROGRAMME = 'Health Rewards Programme'

/** Formats a serial as it is printed under the barcode: one, six and six digits. Also for incomplete serials. */
export const formatSerial = (serial: string): string =>
  [serial.slice(0, 1), serial.slice(1, 7), serial.slice(7)].filter(Boolean).join(' ')

/** The first number for practice vouchers, in the eleven digits after the prefix. No serial from this number on is ever issued. */
export const FIRST_OF_PRACTICE = 99_999_999_990

/** Returns the 13-digit serial for twelve digits. */
export const withCheckDigit = (twelve: string): string => twelve + checkDigit(twelve)

/**
 * Returns the serial in a scan: the bare EAN-13, the QR form `HRP1.<serial>` (rule 8.2), or the serial in a signed voucher (rule 8.7). Returns any
 * other text unchanged.
 */
export const serialFromScan = (scanned: string): string =>
  readSignedVoucher(scanned)?.serial ?? scanned.trim().replace(/^HRP1\./i, '')

/** The prefixes that a scanner may send before a code: its AIM identifier (`]E0`), or the one or two letters of its maker. */
const IDENTIFIER = /^(?:\][a-z]\d)?(?:[a-z]{1,2}\d{0,2})?(?=(?:\d{13}|hrp1\..*|hrp2:.*)$)/i

/** Returns the code that a scanner sent, without the identifiers before it. */
export const codeIn = (sent: string): string => sent.trim().replace(IDENTIFIER, '')

/**
 * `product`: another code, for example of a product, a member card or a payment. `truncated`: the scanner leaves out the check digit. `layout`: it
 * types in another keyboard language. `misread`: an incomplete code, ours or not.
 */
export type ScanProblem = 'product' | 'truncated' | 'layout' | 'misread'

/** Returns the reason why a scan is not a voucher; `undefined` if it may be a voucher. */
export function scanProblem(scanned: string): ScanProblem | undefined {
  if (v.safeParse(Serial, serialFromScan(scanned)).success) return undefined
  const text = scanned.trim()
  if (/^hrp[12][.:]/i.test(text)) return 'misread'
  if (/^2\d{11}$/.test(text)) return 'truncated'
  if (/^\d+$/.test(text)) return isProduct(text) ? 'product' : 'misread'
  const readable = text.replaceAll(/[^a-z\d]/gi, '').length
  return text.length >= 8 && readable * 2 < text.length ? 'layout' : 'product'
}

/**
 * True for EAN-8, UPC-A and EAN-13, and for all codes shorter than EAN-8. UPC-A and EAN-13 may have the two or five extra digits of magazines and
 * books. EAN-8 may not: with five it would be as long as a serial, and every tenth serial with a wrong digit would count as a product.
 */
function isProduct(digits: string): boolean {
  if (digits.length < 8) return true
  const [, main = digits] = /^(\d{13}|\d{12})(?:\d{2}|\d{5})$/.exec(digits) ?? []
  return [digits, main].some((code) => /^(\d{8}|\d{12,13})$/.test(code) && hasValidCheckDigit(code.padStart(13, '0')))
}

/** Returns the status of a voucher: it is Active through the whole Singapore day on which it expires. Nothing is stored when that day passes. */
export function voucherStatus(stored: 'Active' | 'Used' | 'Revoked', expiresOn: string, today: string): VoucherStatus {
  return stored === 'Active' && expiresOn < today ? 'Expired' : stored
}

/** A code for testing a scanner: a valid EAN-13 that is never a voucher, since those begin with 2. */
export const TEST_CODE = '9990000000012'
