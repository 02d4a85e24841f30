import { expect, test } from 'vitest'
import { mailedLink, reviewLink, storeMailedToken, storeReviewToken } from './mailedLink.ts'

test('takes the token of a fragment, with or without its sign, and leaves other fragments alone', () => {
  expect(storeMailedToken('#section')).toBe(false)
  expect(storeMailedToken('')).toBe(false)
  expect(mailedLink.token).toBeNull()
  expect(storeMailedToken('#token=abc-_1')).toBe(true)
  expect(mailedLink.token).toBe('abc-_1')
  expect(storeMailedToken('token=newer')).toBe(true)
  expect(mailedLink.token).toBe('newer')
})

test('keeps the links of passwords and of the provider’s desk apart', () => {
  storeMailedToken('#token=password')
  expect(reviewLink.token).toBeNull()
  storeReviewToken('#token=desk')
  expect(mailedLink.token).toBe('password')
  expect(reviewLink.token).toBe('desk')
})
