import { expect, test } from 'vitest'
import { waitText } from './formErrors.ts'

test.each([
  [1, '1 second'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [61, '1 minute 1 second'],
  [895, '14 minutes 55 seconds'],
])('%d: %s', (seconds, text) => {
  expect(waitText(seconds)).toBe(text)
})
