import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSignedVoucher, readSignedVoucher, signedPart, writeSignedVoucher } from './signedVouchers.ts'
import { addDays } from './singaporeTime.ts'
import { scanProblem, serialFromScan, withCheckDigit } from './vouchers.ts'

const SIGNATURE = Uint8Array.from({ length: 64 }, (_, at) => at)
const FACTS = { key: 1, serial: withCheckDigit('200483920118'), denomination_cents: 1_000, expires_on: '2027-06-30' }
const TEXT = writeSignedVoucher(FACTS, SIGNATURE)

const anyFacts = fc.record({
  key: fc.nat(0xff_ff),
  serial: fc.nat(99_999_999_999).map((drawn) => withCheckDigit(`2${String(drawn).padStart(11, '0')}`)),
  denomination_cents: fc.nat(0xff_ff_ff),
  expires_on: fc.nat(29_219).map((days) => addDays('2020-01-01', days)),
})
const anySignature = fc.uint8Array({ minLength: 64, maxLength: 64 })

describe('the text of a signed voucher', () => {
  it('is 121 characters of the alphanumeric mode, and the same for ever', () => {
    expect(TEXT).toHaveLength(121)
    expect(TEXT).toMatch(/^HRP2:[0-9A-Z $%*+\-./:]{116}$/)
    expect(TEXT).toMatchInlineSnapshot(
      `"HRP2:V50W60P/LCJR3002FT.GMX507H0QS00+0J61%H1CT1V+1572OI2/T2H-2 73AJ3TU33.3M84-J4FV4Y.4895RK51W5K/5*96DL6WW66:6PA7:L7IX7I1"`,
    )
  })

  it('says what was written, whatever that was', () => {
    fc.assert(
      fc.property(anyFacts, anySignature, (facts, signature) => {
        const text = writeSignedVoucher(facts, signature)
        expect(text).toHaveLength(121)
        expect(readSignedVoucher(text)).toEqual({ ...facts, signed: signedPart(facts), signature })
      }),
    )
  })

  it.each([
    ['the first key', { key: 0 }],
    ['the last key', { key: 65_535 }],
    ['the first serial', { serial: withCheckDigit('200000000000') }],
    ['the last serial', { serial: withCheckDigit('299999999999') }],
    ['nothing', { denomination_cents: 0 }],
    ['the dearest', { denomination_cents: 16_777_215 }],
    ['the first day', { expires_on: '2020-01-01' }],
    ['a leap day', { expires_on: '2028-02-29' }],
    ['the last day', { expires_on: '2099-12-31' }],
  ])('has room for %s', (_, edge) => {
    expect(readSignedVoucher(writeSignedVoucher({ ...FACTS, ...edge }, SIGNATURE))).toMatchObject({ ...FACTS, ...edge })
  })

  it('is read from a scanner that types in lower case, with its line end', () => {
    expect(readSignedVoucher(` ${TEXT.toLowerCase()}\n`)).toMatchObject(FACTS)
  })

  it('is no other text: what is read is written the same again, and what is altered says something else or nothing', () => {
    fc.assert(
      fc.property(fc.nat(115), fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:'), (at, letter) => {
        const altered = TEXT.slice(0, 5 + at) + letter + TEXT.slice(6 + at)
        const read = readSignedVoucher(altered)
        return read === undefined || writeSignedVoucher(read, read.signature) === altered
      }),
    )
    expect(readSignedVoucher(TEXT)).toMatchObject(FACTS)
  })

  it.each([
    ['one letter short', TEXT.slice(0, -1)],
    ['two letters short', TEXT.slice(0, -2)],
    ['two letters long', `${TEXT}00`],
    ['another version', `HRP2:${'U'}${TEXT.slice(6)}`],
    ['a letter of no base 45', TEXT.replace(/.$/, '#')],
    ['more than two bytes hold', `HRP2::::${TEXT.slice(8)}`],
    ['more than the last byte holds', `${TEXT.slice(0, -2)}::`],
    ['nothing after the prefix', 'HRP2:'],
    ['a serial of another prefix', writeSignedVoucher({ ...FACTS, serial: withCheckDigit('300000000000') }, SIGNATURE)],
    ['a short serial', writeSignedVoucher({ ...FACTS, serial: '0000000000000' }, SIGNATURE)],
    ['a day after 2099', writeSignedVoucher({ ...FACTS, expires_on: '2100-01-01' }, SIGNATURE)],
  ])('is not read with %s, and still known as a signed one', (_, text) => {
    expect(readSignedVoucher(text)).toBeUndefined()
    expect(isSignedVoucher(text)).toBe(true)
    expect(scanProblem(text)).toBe('misread')
  })

  it('is signed with its prefix, so that it is no signature of anything else', () => {
    expect(new TextDecoder().decode(signedPart(FACTS).slice(0, 5))).toBe('HRP2:')
    expect(signedPart(FACTS)).toHaveLength(18)
  })
})

describe('a signed voucher where a serial is scanned', () => {
  it('works as its serial does', () => {
    expect(serialFromScan(TEXT)).toBe(FACTS.serial)
    expect(scanProblem(TEXT)).toBeUndefined()
  })
  it('is not what the other codes of the programme are', () => {
    for (const text of ['', 'HRP1.2000000000008', FACTS.serial, 'HRP2', 'https://hrp2:']) {
      expect(isSignedVoucher(text)).toBe(false)
      expect(readSignedVoucher(text)).toBeUndefined()
    }
  })
})
