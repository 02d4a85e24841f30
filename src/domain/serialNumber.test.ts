import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { serial } from '../contract/vouchers.ts'
import { formatSerial, serialFromScan, withCheckDigit } from './vouchers.ts'

const good = withCheckDigit('200483920118')

describe('a serial number', () => {
  it('is a valid EAN-13 with prefix 2, spaces allowed', () => {
    expect(v.parse(serial, formatSerial(good))).toBe(good)
  })
  it.each([
    ['', 'is required'],
    ['2004', 'must be exactly 13 digits'],
    ['2oo4839201186', 'must be digits'],
    [withCheckDigit('300483920118'), 'is not a voucher of this programme'],
    [good.slice(0, 12) + ((Number(good[12]) + 1) % 10), 'has a wrong digit'],
  ])('refuses %s: %s', (typed, message) => {
    expect(v.safeParse(serial, typed).issues?.[0]?.message).toBe(message)
  })
  it('is written as under the barcode, from the first digit on', () => {
    expect(formatSerial('20048392')).toBe('2 004839 2')
    expect(formatSerial('')).toBe('')
  })
  it('comes bare from a barcode and prefixed from a QR code', () => {
    expect(serialFromScan(` HRP1.${good}`)).toBe(good)
    expect(serialFromScan(good)).toBe(good)
  })
})
