import { describe, expect, test } from 'vitest'
import { axisSteps, labelledPoints } from './chartAxis.ts'

describe('the value axis', () => {
  test.each([
    [194_000, [0, 50_000, 100_000, 150_000, 200_000]],
    [200_000, [0, 50_000, 100_000, 150_000, 200_000]],
    [1_000, [0, 250, 500, 750, 1_000]],
    [7, [0, 2, 4, 6, 8]],
    [1, [0, 1]],
    [0, [0]],
  ])('goes up to %d in round steps', (highest, steps) => {
    expect(axisSteps(highest)).toEqual(steps)
  })

  test('ends at or above the highest value, in four whole steps at most', () => {
    for (let highest = 1; highest < 30_000; highest += 7) {
      const steps = axisSteps(highest)
      expect(steps.at(-1)).toBeGreaterThanOrEqual(highest)
      expect(steps.length).toBeLessThanOrEqual(5)
      expect(steps.every(Number.isInteger)).toBe(true)
    }
  })
})

describe('the labels under the points', () => {
  test('thirty days are labelled by the week, and the last day always', () => {
    expect(labelledPoints(30, 6)).toEqual([0, 7, 14, 21, 29])
  })

  test('all of them where they fit', () => {
    expect(labelledPoints(5, 8)).toEqual([0, 1, 2, 3, 4])
  })

  test('never more than fit, and each once', () => {
    for (let count = 1; count < 400; count += 1) {
      const shown = labelledPoints(count, 5)
      expect(shown.length).toBeLessThanOrEqual(5)
      expect(new Set(shown).size).toBe(shown.length)
      expect(shown.at(-1)).toBe(count - 1)
    }
    expect(labelledPoints(0, 5)).toEqual([])
  })
})
