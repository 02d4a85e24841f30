import { describe, expect, it } from 'vitest'
import { cropsOf } from './watchCodes.ts'

const LANDSCAPE = { width: 1280, height: 720 }
const PORTRAIT = { width: 720, height: 1280 }

describe('the looks at a picture', () => {
  it('never leave what the person sees: the box cuts off what does not fit', () => {
    const box = { width: 358, height: 415 }
    for (const look of cropsOf(PORTRAIT, box)) {
      expect(look.width).toBeLessThanOrEqual(PORTRAIT.width)
      expect(look.height).toBeLessThanOrEqual(PORTRAIT.width * (box.height / box.width) + 1)
    }
  })
  it('are close, close and turned, and as wide as the box', () => {
    const [close, turned, wide] = cropsOf(LANDSCAPE, { width: 776, height: 551 })
    expect(close).toMatchObject({ turn: 0 })
    expect(turned).toEqual({ ...close, turn: 45 })
    expect(Math.round(wide!.width)).toBe(1014)
    expect(wide!.height).toBe(720)
    expect(close!.width).toBeLessThan(wide!.width * 0.7)
  })
})
