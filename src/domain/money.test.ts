import { describe, expect, it } from 'vitest'
import { centsAsDecimal, formatCents } from './money.ts'

describe('money', () => {
  it('is shown with two decimals and grouped thousands', () => {
    expect(formatCents(120_450)).toBe('$1,204.50')
    expect(formatCents(5)).toBe('$0.05')
  })
  it('is written to files without symbol or grouping, exact to the cent', () => {
    expect([0, 5, 1000, 123_456_789, -250].map(centsAsDecimal)).toEqual([
      '0.00',
      '0.05',
      '10.00',
      '1234567.89',
      '-2.50',
    ])
  })
})
