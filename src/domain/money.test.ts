import { describe, expect, it } from 'vitest'
import { centsAsDecimal, centsFromText, formatCents } from './money.ts'

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

describe('a typed amount', () => {
  it('is read to the cent', () => {
    expect(['32', '32.5', '32.05', '$1,204.50', ' 0.99 '].map(centsFromText)).toEqual([3200, 3250, 3205, 120450, 99])
  })

  it('is nothing when it is no amount', () => {
    for (const typed of ['', '-5', '1.234', 'ten', '1e3', '.5', '12345678'])
      expect(centsFromText(typed)).toBeUndefined()
  })
})
