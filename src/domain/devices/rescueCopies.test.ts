import { describe, expect, it } from 'vitest'
import { joinRescueParts, readRescueText, rescueParts, rescueReason, type RescuePart } from './rescueCopies.ts'

const letters = (count: number, letter = 'a') => letter.repeat(count)

/** Of the form of a sealed copy. */
const copyOf = (letter: string, length = 1_400) =>
  `${letters(200)}..${letters(16)}.${letters(length, letter)}.${letters(21)}${letter}`

const read = (codes: readonly string[]): RescuePart[] => codes.flatMap((code) => readRescueText(code).parts)

describe('the codes of a rescue copy', () => {
  it('are few enough to scan, each small enough for a camera', () => {
    const codes = rescueParts([copyOf('b', 1_650)])
    expect(codes).toHaveLength(3)
    for (const code of codes) expect(code.length).toBeLessThan(740)
    expect(codes[0]!.length - codes[2]!.length).toBeLessThan(4)
  })

  it('give the copy again in any order, however often one is read', () => {
    const copies = [copyOf('b'), copyOf('c')]
    const codes = rescueParts(copies)
    const shuffled = [...codes.toReversed(), codes[1]!, codes[1]!]
    expect(joinRescueParts(read(shuffled))).toEqual([
      { id: expect.any(String), count: codes.length, missing: [], copies },
    ])
  })

  it('say which are missing, and give nothing before', () => {
    const [first, , third] = rescueParts([copyOf('b')])
    expect(joinRescueParts(read([third!, first!]))).toMatchObject([{ count: 3, missing: [2], copies: [] }])
  })

  it('of two copies are told apart', () => {
    const [one, other] = [rescueParts([copyOf('b')]), rescueParts([copyOf('c')])]
    const joined = joinRescueParts(read([...one, ...other.slice(1)]))
    expect(joined.map(({ missing }) => missing)).toEqual([[], [1]])
  })

  it('are not what is no code: a voucher, a part of no count, a text', () => {
    for (const text of [
      'HRP1.2000000000015',
      'HRC1.aaaaaaaa.4.3.abc',
      'HRC1.aaaaaaaa.0.3.abc',
      'HRC1.a.1.1.abc',
      'hello',
    ]) {
      expect(readRescueText(text)).toEqual({ copies: [], parts: [] })
    }
  })
})

it('a file holds its copies between words for people, and codes that a hand scanner typed are lines', () => {
  const copies = [copyOf('b'), copyOf('c')]
  expect(readRescueText(`Rescue copy of Till 2\r\n15 vouchers.\n\n${copies.join('\n')}\n`).copies).toEqual(copies)
  const typed = rescueParts(copies).join('\n')
  expect(joinRescueParts(readRescueText(typed).parts)).toMatchObject([{ missing: [], copies }])
})

describe('a rescue copy is offered', () => {
  const fine = { battery: undefined, persistent: true, oldestAt: 0, now: 60_000 }
  const low = { level: 0.2, charging: false }

  it('when the battery is low and not charging', () => {
    expect(rescueReason({ ...fine, battery: low })).toBe('battery')
    expect(rescueReason({ ...fine, battery: { ...low, charging: true } })).toBeUndefined()
    expect(rescueReason({ ...fine, battery: { ...low, level: 0.21 } })).toBeUndefined()
  })

  it('when the oldest waits for more than two hours', () => {
    expect(rescueReason({ ...fine, now: 2 * 3_600_000 })).toBeUndefined()
    expect(rescueReason({ ...fine, now: 2 * 3_600_000 + 1 })).toBe('age')
  })

  it('when the browser may delete what waits, and not before that is known', () => {
    expect(rescueReason({ ...fine, persistent: false })).toBe('storage')
    expect(rescueReason({ ...fine, persistent: undefined })).toBeUndefined()
  })
})
