import { expect, it } from 'vitest'
import { allowedOverride } from './baseUrl.ts'

const allowed = ['https://staging.example']

it('honours an override on an allowed origin', () => {
  expect(allowedOverride('https://staging.example/api/', allowed)).toBe('https://staging.example/api')
})

it.each([
  null,
  '',
  'https://evil.example/api',
  'http://staging.example/api',
  '//evil.example',
  'javascript:alert(1)',
  'https://staging.example@evil.example/api',
  'https://user:word@staging.example/api',
  'https://staging.example.evil.example/api',
])('ignores %s', (stored) => {
  expect(allowedOverride(stored, allowed)).toBeUndefined()
})
