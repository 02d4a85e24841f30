import { expect, test } from 'vitest'
import { formatBytes, formatCountdown, formatDuration } from './quantities.ts'

test.each([
  [0, '1 minute'],
  [119_000, '1 minute'],
  [3_599_000, '59 minutes'],
  [3_600_000, '1 hour'],
  [7_200_000, '2 hours'],
  [86_400_000, '1 day'],
  [4.9 * 86_400_000, '4 days'],
])('%d ms are %s', (milliseconds, words) => {
  expect(formatDuration(milliseconds)).toBe(words)
})

test('names a size as file managers do', () => {
  expect([0, 999, 84_000, 3_100_000].map(formatBytes)).toEqual(['0 bytes', '999 bytes', '84 KB', '3.1 MB'])
})

test('counts down in minutes and seconds', () => {
  expect([120, 102, 60, 9].map(formatCountdown)).toEqual(['2:00', '1:42', '1:00', '0:09'])
})
