import { describe, expect, it } from 'vitest'
import { SampleCycle, samplesOf, visiblePart } from './pictureSamples.ts'

const LANDSCAPE = { width: 1280, height: 720 }
const PORTRAIT = { width: 720, height: 1280 }

describe('the samples of a picture', () => {
  it('never leave what the person sees: the box cuts off what does not fit', () => {
    const box = { width: 358, height: 415 }
    const visible = visiblePart(PORTRAIT, box)
    expect(visible.width).toBe(PORTRAIT.width)
    expect(visible.height).toBeCloseTo(PORTRAIT.width * (box.height / box.width))
    for (const sample of Object.values(samplesOf(visible))) {
      expect(sample.width).toBeLessThanOrEqual(visible.width)
      expect(sample.height).toBeLessThanOrEqual(visible.height)
    }
  })
  it('are close, close and turned, and as wide as the box', () => {
    const { close, turned, whole } = samplesOf(visiblePart(LANDSCAPE, { width: 776, height: 551 }))
    expect(close).toMatchObject({ turn: 0 })
    expect(turned).toEqual({ ...close, turn: 45 })
    expect(Math.round(whole.width)).toBe(1014)
    expect(whole.height).toBe(720)
    expect(close.width).toBeLessThan(whole.width * 0.7)
  })
  it('come each within a second while nothing is found', () => {
    const cycle = new SampleCycle()
    const names = Array.from({ length: 10 }, () => {
      const { name } = cycle.next(LANDSCAPE)
      cycle.foundNothing()
      return name.split(' ')[0]
    })
    expect(new Set(names)).toEqual(new Set(Object.keys(samplesOf(LANDSCAPE))))
  })
  it('differ from one to the next after something was found, and see the same part of the picture', () => {
    const cycle = new SampleCycle()
    const [first, second, third] = [cycle.next(LANDSCAPE), cycle.next(LANDSCAPE), cycle.next(LANDSCAPE)]
    expect(new Set([first.name, second.name, third.name]).size).toBe(3)
    for (const { sample } of [second, third]) {
      expect(sample).toMatchObject({ width: first.sample.width, height: first.sample.height })
      expect(sample).not.toEqual(first.sample)
    }
  })
})
