import { describe, expect, it } from 'vitest'
import { withCheckDigit } from '../../../domain/vouchers.ts'
import { CodeReading, type Reading } from './CodeReading.ts'
import type { Sighting } from './Decode.ts'

const VOUCHER = withCheckDigit('200483920118')
const OTHER = withCheckDigit('200483920119')
/** The barcode of a tin of milk. */
const GROCERY = '4006381333931'

/** An in-store label. */
const PRICE_LABEL = '2012345004504'

const bars = (text: string): Sighting => ({ kind: 'ean13', text })
const square = (serial: string): Sighting => ({ kind: 'qr', text: `HRP1.${serial}` })

/** Shows the pictures 100 ms apart, each with another look than the one before, and returns a reading for each. */
function show(pictures: Sighting[][], reading = new CodeReading(), from = 10_000): Reading[] {
  return pictures.map((sightings, index) => reading.see(sightings, from + index * 100, `look ${index % 3}`))
}
const times = (count: number, picture: Sighting[]) => Array.from({ length: count }, () => picture)
const serialsOf = (readings: Reading[]) => readings.flatMap((read) => (read && 'code' in read ? [read.code] : []))
const hintsOf = (readings: Reading[]) =>
  new Set(readings.flatMap((read) => (read && 'hint' in read ? [read.hint] : [])))

describe('a voucher before the camera', () => {
  it('is believed at once as a QR code, and as bars when they were seen twice in a row', () => {
    expect(show([[square(VOUCHER)]])).toEqual([{ code: VOUCHER }])
    expect(show([[bars(VOUCHER)]])).toEqual([undefined])
    expect(show([[bars(VOUCHER)], [bars(VOUCHER)]])).toEqual([undefined, { code: VOUCHER }])
  })
  it('whose bars are misread once between two good looks is not reported before they agree', () => {
    expect(serialsOf(show([[bars(VOUCHER)], [bars(OTHER)], [bars(VOUCHER)]]))).toEqual([])
    expect(serialsOf(show([[bars(VOUCHER)], [], [bars(VOUCHER)]]))).toEqual([VOUCHER])
    expect(serialsOf(show([[bars(VOUCHER)], ...times(15, []), [bars(VOUCHER)]]))).toEqual([])
  })
  it('is not confirmed by the same look, which sees the same pixels of what lies still', () => {
    const reading = new CodeReading()
    const readings = [0, 1, 2].map((index) => reading.see([bars(VOUCHER)], 10_000 + index * 100, 'close'))
    expect(readings).toEqual([undefined, undefined, undefined])
    expect(reading.see([bars(VOUCHER)], 10_300, 'turned')).toEqual({ code: VOUCHER })
  })
  it('is read although bars of another number seem to be there in one look', () => {
    const seen = [bars(VOUCHER), bars(OTHER)]
    expect(show([seen, [bars(VOUCHER)], seen])).toEqual([undefined, { code: VOUCHER }, undefined])
  })
  it('is read as a square beside the label of weighed food, which begins with 2 as well', () => {
    expect(show([[bars(PRICE_LABEL), square(VOUCHER)]])).toEqual([{ code: VOUCHER }])
    expect(serialsOf(show(times(3, [square(VOUCHER), bars(PRICE_LABEL)])))).toEqual([VOUCHER])
  })
  it('is one voucher with its bars and its square in view', () => {
    expect(serialsOf(show(times(3, [bars(VOUCHER), square(VOUCHER)])))).toEqual([VOUCHER])
  })
  it('is reported once however long it stays, and however often a look misses it', () => {
    const readings = show([...times(50, [square(VOUCHER)]), ...times(20, []), ...times(50, [square(VOUCHER)])])
    expect(serialsOf(readings)).toEqual([VOUCHER])
    expect(hintsOf(readings)).toEqual(new Set(['again']))
  })
  it('is reported again when it was away for three seconds', () => {
    expect(serialsOf(show([[square(VOUCHER)], ...times(31, []), [square(VOUCHER)]]))).toEqual([VOUCHER, VOUCHER])
  })
  it('that still lies there after its verdict is not scanned anew: time without pictures is no time away', () => {
    const reading = new CodeReading()
    expect(serialsOf(show([[square(VOUCHER)]], reading))).toEqual([VOUCHER])
    const after = show(times(5, [square(VOUCHER)]), reading, 90_000)
    expect(serialsOf(after)).toEqual([])
    expect(after[0]).toEqual({ hint: 'again' })
  })
  it('gives way to the next one at once, and comes back no sooner for it', () => {
    const readings = show([[square(VOUCHER)], [square(OTHER)], [square(VOUCHER)]])
    expect(serialsOf(readings)).toEqual([VOUCHER, OTHER])
  })
  it('is not chosen among several', () => {
    for (const print of [square, bars]) {
      const readings = show(times(5, [print(VOUCHER), print(OTHER)]))
      expect(serialsOf(readings)).toEqual([])
      expect(hintsOf(readings)).toEqual(new Set(['several']))
    }
  })
  it('is read beside what is not one', () => {
    expect(serialsOf(show(times(3, [bars(GROCERY), bars(VOUCHER)])))).toEqual([VOUCHER])
  })
})

describe('a code that is no voucher', () => {
  it.each([
    ['goods', bars(GROCERY)],
    ['a wrong check digit', bars(VOUCHER.slice(0, 12) + ((Number(VOUCHER[12]) + 1) % 10))],
    ['a QR code of somebody else', { kind: 'qr', text: 'https://example.com/menu' } as const],
  ])('is named as such and never reported: %s', (_, sighting) => {
    const readings = show(times(5, [sighting]))
    expect(serialsOf(readings)).toEqual([])
    expect(hintsOf(readings)).toEqual(new Set(['foreign']))
  })
})
