import { expect, test } from 'vitest'
import { changeInPercent, describeChange } from './KeyFigures.tsx'

test.each([
  [2_679_800, 2_846_000, '+6.2%'],
  [200, 100, '−50%'],
  [100, 100, '0%'],
  [0, 0, '0%'],
  [0, 100, 'None before'],
])('from %d to %d cents it is %s', (before, now, words) => {
  expect(changeInPercent(before, now)).toBe(words)
})

test.each([
  [3_000, 2_000, '$30.00, 50% more than in May ($20.00)'],
  [1_500, 2_000, '$15.00, 25% less than in May ($20.00)'],
  [2_000, 2_000, '$20.00, as much as in May ($20.00)'],
  [2_000, 0, '$20.00, more than in May ($0.00)'],
  [0, 0, '$0.00, as much as in May ($0.00)'],
])('%d cents after %d in May are told in words', (now, before, words) => {
  expect(describeChange(now, before, 'May')).toBe(words)
})
