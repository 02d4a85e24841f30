import { expect, test } from 'vitest'
import { mailedLink, reviewLink, takeMailedToken, takeReviewToken } from './mailedLink.ts'

test('takes the token of a fragment, with or without its sign, and leaves other fragments alone', () => {
  expect(takeMailedToken('#section')).toBe(false)
  expect(takeMailedToken('')).toBe(false)
  expect(mailedLink.token).toBeNull()
  expect(takeMailedToken('#token=abc-_1')).toBe(true)
  expect(mailedLink.token).toBe('abc-_1')
  expect(takeMailedToken('token=newer')).toBe(true)
  expect(mailedLink.token).toBe('newer')
})

test('keeps the links of passwords and of the provider’s desk apart', () => {
  takeMailedToken('#token=password')
  expect(reviewLink.token).toBeNull()
  takeReviewToken('#token=desk')
  expect(mailedLink.token).toBe('password')
  expect(reviewLink.token).toBe('desk')
})
