import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { serial } from '../contract/vouchers.ts'
import { SINGAPORE_BANKS } from './merchants/singaporeBanks.ts'
import { codeIn, formatSerial, scanProblem, serialFromScan, withCheckDigit } from './vouchers.ts'

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

describe('what a scanner sent', () => {
  it.each([
    [good, undefined],
    [`HRP1.${good}`, undefined],
    ['4006381333931', 'product'],
    ['96385074', 'product'],
    ['978316148410052495', 'product'],
    ['4011', 'product'],
    ['MEMBER 1234567', 'product'],
    ['00020101021126380009SG.PAYNOW 5914KOPI AND TOAST6304', 'product'],
    [good.slice(0, 12), 'truncated'],
    [good.slice(0, 12) + ((Number(good[12]) + 1) % 10), 'misread'],
    [good + good, 'misread'],
    [`HRP1.${good.slice(2)}`, 'misread'],
    ['éàà(_"ç&é-é', 'layout'],
  ])('%s is %s', (sent, problem) => {
    expect(scanProblem(sent)).toBe(problem)
  })
  it('is misread, and no product, wherever one digit of a serial is wrong', () => {
    const twelve = fc.stringMatching(/^2[0-9]{11}$/)
    const wrong = fc.property(twelve, fc.nat(12), fc.integer({ min: 1, max: 9 }), (digits, at, by) => {
      const sent = [...withCheckDigit(digits)]
      sent[at] = String((Number(sent[at]) + by) % 10)
      expect(scanProblem(sent.join(''))).toBe('misread')
    })
    expect(() => fc.assert(wrong, { numRuns: 1_000 })).not.toThrow()
  })
  it.each([`]E0${good}`, `]C1${good}`, `F${good}`, `A2${good}`, ` ${good}\n`])('%j holds the serial', (sent) => {
    expect(codeIn(sent)).toBe(good)
  })
  it('keeps its letters where they are the code', () => {
    expect(['HRP1.2', 'MEMBER 1234567', 'AB1234567890123456'].map(codeIn)).toEqual([
      'HRP1.2',
      'MEMBER 1234567',
      'AB1234567890123456',
    ])
  })
})

it('no bank fills in a code that FAST and GIRO refuse', () => {
  expect(SINGAPORE_BANKS.map(({ code }) => code)).not.toContain('7144')
  const codes = Object.fromEntries(SINGAPORE_BANKS.map(({ name, code }) => [name, code]))
  expect(codes).toMatchObject({ 'Standard Chartered Bank': '9496', 'ANEXT Bank': '9742', 'Trust Bank': '9733' })
})
