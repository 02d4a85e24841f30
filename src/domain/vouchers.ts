import * as v from 'valibot'
import type { VoucherStatus } from '../contract/tables/lists.ts'
import { checkDigit, hasValidCheckDigit, serial as Serial } from '../contract/vouchers.ts'
import { readSignedVoucher } from './signedVouchers.ts'

/** As printed under the barcode: one, six and six digits, whatever has been typed so far. */
export const formatSerial = (serial: string): string =>
  [serial.slice(0, 1), serial.slice(1, 7), serial.slice(7)].filter(Boolean).join(' ')

/** Of the eleven digits after the prefix. From here on no serial is issued: these are of the papers of practice. */
export const FIRST_OF_PRACTICE = 99_999_999_990

/** The 13-digit serial for twelve digits. */
export const withCheckDigit = (twelve: string): string => twelve + checkDigit(twelve)

/**
 * What a scanner delivered: the bare EAN-13, the QR form `HRP1.<serial>` (rule 8.2), or the serial in a signed voucher (rule 8.7). What
 * is none of them comes back as it is.
 */
export const serialFromScan = (scanned: string): string =>
  readSignedVoucher(scanned)?.serial ?? scanned.trim().replace(/^HRP1\./i, '')

/** What a scanner may be set up to send in front of a code: its AIM identifier (`]E0`), or the one or two letters of its maker. */
const IDENTIFIER = /^(?:\][a-z]\d)?(?:[a-z]{1,2}\d{0,2})?(?=(?:\d{13}|hrp1\..*|hrp2:.*)$)/i

/** The code in what a scanner sent, without the identifiers in front of it. */
export const codeIn = (sent: string): string => sent.trim().replace(IDENTIFIER, '')

/**
 * `product`: another code, of goods, a member card, a payment. `truncated`: the scanner leaves out the check digit. `layout`: it types in
 * another keyboard language. `misread`: a code of ours, or none, that did not arrive whole.
 */
export type ScanProblem = 'product' | 'truncated' | 'layout' | 'misread'

/** Why a scan is no voucher; `undefined` for one that may be a voucher. */
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
 * EAN-8, UPC-A and EAN-13, the last two with the two or five digits that books and papers have beside them; shorter ones are of nothing we
 * know. EAN-8 has none beside it: with five it would be as long as a serial, and every tenth serial with a wrong digit would be a product.
 */
function isProduct(digits: string): boolean {
  if (digits.length < 8) return true
  const [, main = digits] = /^(\d{13}|\d{12})(?:\d{2}|\d{5})$/.exec(digits) ?? []
  return [digits, main].some((code) => /^(\d{8}|\d{12,13})$/.test(code) && hasValidCheckDigit(code.padStart(13, '0')))
}

/** A voucher is Active through the whole Singapore day it expires on; nothing is written when that day passes. */
export function voucherStatus(stored: 'Active' | 'Used' | 'Revoked', expiresOn: string, today: string): VoucherStatus {
  return stored === 'Active' && expiresOn < today ? 'Expired' : stored
}

/** What a scanner is tried with: a good EAN-13 that is never a voucher, whose numbers begin with 2. */
export const TEST_CODE = '9990000000012'
