import { expect, test } from 'vitest'
import { changeInPercent } from './KeyFigures.tsx'

test.each([
  [2_679_800, 2_846_000, '+6.2%'],
  [200, 100, '-50%'],
  [100, 100, '0%'],
  [0, 0, '0%'],
  [0, 100, 'None before'],
])('from %d to %d cents it is %s', (before, now, words) => {
  expect(changeInPercent(before, now)).toBe(words)
})
