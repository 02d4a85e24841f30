import { hasValidCheckDigit } from '../contract/vouchers.ts'

/** As printed under the barcode: one, six and six digits, whatever has been typed so far. */
export const formatSerial = (serial: string): string =>
  [serial.slice(0, 1), serial.slice(1, 7), serial.slice(7)].filter(Boolean).join(' ')

/** The 13-digit serial for twelve digits. */
export function withCheckDigit(twelve: string): string {
  const last = [...'0123456789'].find((digit) => hasValidCheckDigit(twelve + digit))
  return twelve + last
}

/** What a scanner delivered: the bare EAN-13, or the QR form `HRP1.<serial>` (DESIGN §2). */
export const serialFromScan = (scanned: string): string => scanned.trim().replace(/^HRP1\./i, '')
