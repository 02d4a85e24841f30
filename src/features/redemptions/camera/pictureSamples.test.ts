import { describe, expect, it } from 'vitest'
import { Looks, looksOf, seenIn } from './pictureSamples.ts'

const LANDSCAPE = { width: 1280, height: 720 }
const PORTRAIT = { width: 720, height: 1280 }

describe('the looks at a picture', () => {
  it('never leave what the person sees: the box cuts off what does not fit', () => {
    const box = { width: 358, height: 415 }
    const seen = seenIn(PORTRAIT, box)
    expect(seen.width).toBe(PORTRAIT.width)
    expect(seen.height).toBeCloseTo(PORTRAIT.width * (box.height / box.width))
    for (const look of Object.values(looksOf(seen))) {
      expect(look.width).toBeLessThanOrEqual(seen.width)
      expect(look.height).toBeLessThanOrEqual(seen.height)
    }
  })
  it('are close, close and turned, and as wide as the box', () => {
    const { close, turned, whole } = looksOf(seenIn(LANDSCAPE, { width: 776, height: 551 }))
    expect(close).toMatchObject({ turn: 0 })
    expect(turned).toEqual({ ...close, turn: 45 })
    expect(Math.round(whole.width)).toBe(1014)
    expect(whole.height).toBe(720)
    expect(close.width).toBeLessThan(whole.width * 0.7)
  })
  it('come each within a second while nothing is found', () => {
    const looks = new Looks()
    const names = Array.from({ length: 10 }, () => {
      const { name } = looks.next(LANDSCAPE)
      looks.foundNothing()
      return name.split(' ')[0]
    })
    expect(new Set(names)).toEqual(new Set(Object.keys(looksOf(LANDSCAPE))))
  })
  it('differ from one to the next after something was found, and see the same part of the picture', () => {
    const looks = new Looks()
    const [first, second, third] = [looks.next(LANDSCAPE), looks.next(LANDSCAPE), looks.next(LANDSCAPE)]
    expect(new Set([first.name, second.name, third.name]).size).toBe(3)
    for (const { look } of [second, third]) {
      expect(look).toMatchObject({ width: first.look.width, height: first.look.height })
      expect(look).not.toEqual(first.look)
    }
  })
})
