import { expect, it } from 'vitest'
import { refusedWords } from './refusedWords.ts'

const heldAt = (is_this_till: boolean) => ({
  code: 'VOUCHER_HELD',
  message: '',
  data: {
    denomination_cents: 500,
    expires_on: '2026-12-31',
    till: 'Till L',
    is_this_till,
    since: '2026-11-22T02:00:00.000Z',
    ends: '2026-11-23T02:00:00.000Z',
  },
})

it('a voucher on hold names the till that has it, and another window of this till as a window', () => {
  expect(refusedWords(heldAt(false)).happened).toContain('at Till L since')
  const here = refusedWords(heldAt(true))
  expect(here).toMatchObject({ word: 'On hold', say: 'Another window of this till has it.', mayTryAgain: true })
  expect(JSON.stringify(here)).not.toContain('Till L')
  expect(JSON.stringify(here)).not.toContain('nother till')
})
