import { expect, test } from 'vitest'
import { formatDuration } from './quantities.ts'

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
