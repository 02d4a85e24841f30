import { expect, it } from 'vitest'
import { codeInLink, enrolmentLink } from './enrolmentLink.ts'

it('the code of an enrolment is read from the link that holds it, and from nothing else', () => {
  expect(codeInLink(enrolmentLink('https://portal.example:8443', '7KQ2M9XW'))).toBe('7KQ2M9XW')
  for (const text of ['', '7KQ2M9XW', 'https://portal.example/redeem', 'https://portal.example/other?code=7KQ2M9XW']) {
    expect(codeInLink(text)).toBeUndefined()
  }
})
