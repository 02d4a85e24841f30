import { expect, it } from 'vitest'
import { codeInLink, enrolmentLink } from './enrolmentLink.ts'

it('the code of an enrolment is read from the link that holds it, and from nothing else', () => {
  expect(codeInLink(enrolmentLink('https://portal.example:8443', '7KQ2M9XW'))).toBe('7KQ2M9XW')
  for (const text of ['', '7KQ2M9XW', 'https://portal.example/redeem', 'https://portal.example/other?code=7KQ2M9XW']) {
    expect(codeInLink(text)).toBeUndefined()
  }
})

it.each(['12345678', '3E512345', '1234567E'])(
  'a code that reads as a number, as %s, is no number in its link',
  (code) => {
    const link = enrolmentLink('https://portal.example', code)
    expect(() => JSON.parse(new URL(link).searchParams.get('code')!) as unknown).toThrow(SyntaxError)
    expect(codeInLink(link)).toBe(code)
  },
)
