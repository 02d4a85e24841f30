import { describe, expect, it } from 'vitest'
import { writeSignedVoucher } from '../../domain/signedVouchers.ts'
import { Burst } from './useWedgeScanner.ts'

/** Types into a burst, one key every `every` ms from `at`; gives what was delivered and which keys were kept from the page. */
function type(keys: string[], every: number, burst?: { burst: Burst; delivered: string[] }, at = 1_000) {
  const delivered = burst?.delivered ?? []
  const listening = burst?.burst ?? new Burst((serial) => delivered.push(serial))
  const kept: string[] = []
  keys.forEach((key, index) =>
    listening.key({
      key: key.replace('Ctrl+', ''),
      ctrlKey: key.startsWith('Ctrl+'),
      timeStamp: at + index * every,
      preventDefault: () => kept.push(key),
      stopPropagation: () => undefined,
    }),
  )
  return { burst: listening, delivered, kept }
}

const code = [...'2004839201186']
const SIGNED = writeSignedVoucher(
  { key: 1, serial: code.join(''), denomination_cents: 1_000, expires_on: '2027-06-30' },
  Uint8Array.from({ length: 64 }, (_, at) => 4 * at),
)

describe('a keyboard-wedge scanner', () => {
  it('is heard anywhere, ends with Enter, and its Enter reaches nothing else', () => {
    const { delivered, kept } = type([...code, 'Enter'], 10)
    expect(delivered).toEqual(['2004839201186'])
    expect(kept).toEqual(['Enter'])
  })
  it('may end with Tab, start with control keys, and read the QR form', () => {
    expect(type(['Control', 'Shift', ...'HRP1.2004839201186', 'Tab'], 10).delivered).toEqual(['2004839201186'])
  })
  it('may start with a control key that is a letter held with Ctrl', () => {
    expect(type(['Control', 'Ctrl+b', ...code, 'Enter'], 10).delivered).toEqual(['2004839201186'])
  })
  it('is not a person typing in a field', () => {
    const { delivered, kept } = type([...code, 'Enter'], 200)
    expect(delivered).toEqual([])
    expect(kept).toEqual([])
  })
  it('reads a signed voucher, which takes longer, and keeps its spaces and signs from the page', () => {
    const typed = ['Shift', ...SIGNED, 'Enter']
    const { delivered, kept } = type(typed, 30)
    expect(delivered).toEqual(['2004839201186'])
    expect(kept.join('')).toBe(`${SIGNED.slice(4)}Enter`)
    expect(kept).toContain(' ')
    const half = SIGNED.slice(0, 60)
    const broken = type([...half], 30)
    type([' ', 'Enter'], 30, broken, 9_000)
    expect(broken.delivered).toEqual([])
  })
  it('that delivers twice is heard once', () => {
    const first = type([...code, 'Enter'], 10)
    type([...code, 'Enter'], 10, first, 1_300)
    expect(first.delivered).toEqual(['2004839201186'])
    type([...code, 'Enter'], 10, first, 9_000)
    expect(first.delivered).toHaveLength(2)
  })
})
