import { expect, test } from 'vitest'
import { mailedLink, takeMailedToken } from './mailedLink.ts'

test('takes the token of a fragment, with or without its sign, and leaves other fragments alone', () => {
  expect(takeMailedToken('#section')).toBe(false)
  expect(takeMailedToken('')).toBe(false)
  expect(mailedLink.token).toBeNull()
  expect(takeMailedToken('#token=abc-_1')).toBe(true)
  expect(mailedLink.token).toBe('abc-_1')
  expect(takeMailedToken('token=newer')).toBe(true)
  expect(mailedLink.token).toBe('newer')
})
