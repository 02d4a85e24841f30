import { expect, it } from 'vitest'
import { backoffMs } from './backoff.ts'

it('grows with every attempt, is spread at random, and stays under five minutes', () => {
  expect([1, 2, 3, 20].map((attempt) => backoffMs(attempt, () => 1))).toEqual([2_000, 4_000, 8_000, 300_000])
  expect(backoffMs(5, () => 0)).toBe(500)
})
