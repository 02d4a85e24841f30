import { expect, it } from 'vitest'
import { enrolmentLink } from './enrolmentLink.ts'

it('the link of an enrolment opens the counter with its code', () => {
  expect(enrolmentLink('https://portal.example:8443', '7KQ2M9XW')).toBe(
    'https://portal.example:8443/redeem?code=7KQ2M9XW',
  )
})

it.each(['12345678', '3E512345', '1234567E'])(
  'a code that reads as a number, as %s, is no number in its link',
  (code) => {
    const held = new URL(enrolmentLink('https://portal.example', code)).searchParams.get('code')!
    expect(() => JSON.parse(held) as unknown).toThrow(SyntaxError)
    expect(held.replace('-', '')).toBe(code)
  },
)
