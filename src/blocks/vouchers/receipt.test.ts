import { describe, expect, it } from 'vitest'
import { redemptionReceipt } from './receipt.ts'

const voucher = (cents: number) => ({ serial: '2004839201186', cents, number: `R-00${cents}` })

const sums = (bill?: number) =>
  redemptionReceipt({
    shop: 'Kopi & Grain Pte. Ltd.',
    branch: 'Tampines Mall',
    till: 'Front counter',
    cashier: 'till-1',
    at: new Date('2026-11-28T10:00:00Z'),
    vouchers: [voucher(2_000), voucher(1_000)],
    bill,
  }).lines.slice(9)

describe('the receipt of several vouchers', () => {
  it('sums them up against the bill', () => {
    expect(sums(2_740)).toEqual([
      ['Vouchers', '2 vouchers, $30.00'],
      ['Bill', '$27.40'],
      ['Lost, no change given', '$2.60'],
      ['Taken off the bill', '$27.40'],
      ['Still to pay', '$0.00'],
    ])
  })

  it('says nothing about a bill that it does not know', () => {
    expect(sums()).toEqual([['Vouchers', '2 vouchers, $30.00']])
  })
})
