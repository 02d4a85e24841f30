import { expect, it } from 'vitest'
import { enrolmentLink } from './enrolmentLink.ts'

it('the link of an enrolment has its code in the fragment, which is never sent', () => {
  const link = new URL(enrolmentLink('https://portal.example:8443', '7KQ2M9XW'))
  expect(`${link.origin}${link.pathname}${link.search}`).toBe('https://portal.example:8443/enrol')
  expect(new URLSearchParams(link.hash.slice(1)).get('token')).toBe('7KQ2M9XW')
})
