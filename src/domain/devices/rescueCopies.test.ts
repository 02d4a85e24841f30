import { describe, expect, it } from 'vitest'
import {
  joinRescueParts,
  partName,
  readRescueText,
  rescueParts,
  rescueReason,
  type RescuePart,
} from './rescueCopies.ts'

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
    const joined = joinRescueParts(read(shuffled))
    expect(joined.map(({ missing }) => missing)).toEqual([[], []])
    expect(joined.flatMap((one) => one.copies).toSorted()).toEqual(copies)
  })

  it('of many copies give all but the one whose code was lost', () => {
    const copies = [...'bcdefghijklmnopqrstuv'].map((letter) => copyOf(letter, 5_000))
    const codes = rescueParts(copies)
    expect(codes.length).toBeGreaterThan(99)
    const joined = joinRescueParts(read(codes.toSpliced(50, 1)))
    expect(joined.flatMap((one) => one.copies)).toHaveLength(copies.length - 1)
    expect(joined.filter(({ missing }) => missing.length > 0)).toHaveLength(1)
  })

  it('are called by their number, and by their copy where there are several', () => {
    const codes = rescueParts([copyOf('b')])
    expect(codes.map((code) => partName(code, codes))).toEqual(['Code 1 of 3', 'Code 2 of 3', 'Code 3 of 3'])
    const several = rescueParts([`${copyOf('b')}bbbb`, `${copyOf('c')}cccc`])
    expect(partName(several[1]!, several)).toBe('Copy aaab, code 2 of 3')
  })

  it('of the release before, which joined its copies, are read as ever', () => {
    const copies = [copyOf('b', 300), copyOf('c', 300)]
    const [whole] = joinRescueParts(read([`HRC1.cccccccc.1.1.${copies.join('~')}`]))
    expect(whole!.copies).toEqual(copies)
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
  expect(joinRescueParts(readRescueText(typed).parts).flatMap((one) => one.copies)).toEqual(copies)
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
