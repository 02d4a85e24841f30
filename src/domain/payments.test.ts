import { describe, expect, it } from 'vitest'
import type { Statement } from '../contract/payments.ts'
import { isOpen, nextSentence, openSentence, paidSentence } from './payments.ts'

const NOVEMBER: Statement = {
  month: '2026-11',
  made_at: '2026-12-01T22:00:00.000Z',
  vouchers: 354,
  redeemed_cents: 354_000,
  corrections_cents: 0,
  brought_forward_cents: 0,
  total_cents: 354_000,
  due_on: '2026-12-30',
  paid_on: null,
  reference: null,
}
const paid = { ...NOVEMBER, paid_on: '2026-12-28', reference: 'GIRO 7' }

describe('the words about payments', () => {
  it.each([
    [false, '2026-12-02', 'You will be paid $3,540.00 by 30 December for November'],
    [false, '2026-12-30', 'You will be paid $3,540.00 by 30 December for November'],
    [true, '2026-12-30', 'Your branches will be paid $3,540.00 by 30 December for November'],
    [false, '2026-12-31', 'Your payment of $3,540.00 for November was due on 30 December'],
    [true, '2027-01-05', 'Your branches’ share of $3,540.00 for November was due on 30 December'],
    [false, '2027-12-05', 'Your payment of $3,540.00 for November 2026 was due on 30 December 2026'],
  ])('say what is open (share: %s, on %s): %s', (isShare, today, words) =>
    expect(openSentence(NOVEMBER, isShare, today)).toBe(words),
  )

  it('say what was paid', () => {
    expect(paidSentence(paid, false, '2027-01-02')).toBe('You were paid $3,540.00 on 28 December for November')
    expect(paidSentence(paid, true, '2027-01-02')).toBe('Your branches were paid $3,540.00 on 28 December for November')
  })

  it('call what is to be paid and is not yet open, and nothing else', () => {
    expect([NOVEMBER, paid, { ...NOVEMBER, due_on: null }].map(isOpen)).toEqual([true, false, false])
  })

  it('say when the first or the next statement comes, by the day in Singapore', () => {
    const next = { month: '2026-11', closes_at: '2026-12-01T22:00:00.000Z' }
    const payments = { as_of: '2026-11-20T00:00:00.000Z', is_share: false, statements: [], next }
    expect(nextSentence(payments)).toBe('The first statement comes on 2 December, for November')
    expect(nextSentence({ ...payments, statements: [NOVEMBER] })).toBe(
      'The next statement comes on 2 December, for November',
    )
  })
})
