import { describe, expect, it } from 'vitest'
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
  it('that delivers twice is heard once', () => {
    const first = type([...code, 'Enter'], 10)
    type([...code, 'Enter'], 10, first, 1_300)
    expect(first.delivered).toEqual(['2004839201186'])
    type([...code, 'Enter'], 10, first, 9_000)
    expect(first.delivered).toHaveLength(2)
  })
})
