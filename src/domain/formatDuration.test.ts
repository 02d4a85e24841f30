import { expect, test } from 'vitest'
import { formatDuration, formatSpell } from './quantities.ts'

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

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [3_599, '59 min'],
  [3_600, '1 h'],
  [27_600, '7 h 40 min'],
  [3_600_000, '1,000 h'],
])('%d seconds among others are %s', (seconds, words) => {
  expect(formatSpell(seconds)).toBe(words.replaceAll(' ', '\u00A0'))
})
