import { expect, test } from 'vitest'
import { backoffMs, spreadMs } from './backoff.ts'

const most = { random: () => 1 }
const least = { random: () => 0 }

test('the longest wait doubles up to five minutes, and the wait is random from zero to that', () => {
  expect([1, 2, 3, 20].map((attempt) => backoffMs(attempt, most))).toEqual([2_000, 4_000, 8_000, 300_000])
  expect(backoffMs(5, least)).toBe(0)
  expect(backoffMs(1, { random: () => 0.5 })).toBe(1_000)
})

test('the wait is at least what the server asked for, and devices do not return together after it', () => {
  const after = (retryAfterMs: number, random: () => number) => backoffMs(1, { retryAfterMs, random })
  expect(after(60_000, () => 0)).toBe(60_000)
  expect(after(60_000, () => 0.5)).toBe(63_000)
  expect(after(60_000, () => 1)).toBe(66_000)
})

test('a short wait from the server does not shorten the backoff: the longer one counts', () => {
  expect(backoffMs(5, { ...least, retryAfterMs: 1_000 })).toBe(1_000)
  expect(backoffMs(5, { random: () => 0.5, retryAfterMs: 1_000 })).toBe(16_000)
  expect(backoffMs(5, { ...most, retryAfterMs: 1_000 })).toBe(32_000)
})

test('a thousand devices that lost the same connection return evenly over the time', () => {
  const waits = Array.from({ length: 1_000 }, () => spreadMs(10_000))
  const inSecond = Array.from({ length: 10 }, (_, at) => waits.filter((ms) => Math.floor(ms / 1_000) === at).length)
  // About a hundred each. Half or twice as many happens by chance once in many millions of runs.
  for (const count of inSecond) expect(count).toBeGreaterThan(50)
  for (const count of inSecond) expect(count).toBeLessThan(200)
})
