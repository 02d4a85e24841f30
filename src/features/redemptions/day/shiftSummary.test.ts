import { describe, expect, it } from 'vitest'
import type { User } from '../../../contract/accounts/user.ts'
import { shiftSummary } from './shiftSummary.ts'
import type { DayEntry, DayState } from './useMyDay.ts'

const USER: User = {
  guid: 'a',
  type: 'POS User' as User['type'],
  status: 'Active' as User['status'],
  login_name: 'till-1',
  organisation_guid: 'b',
  organisation_name: 'Kopi & Grain Pte. Ltd.',
  merchant_id: '100',
  branch_guid: 'c',
  branch_name: 'Tampines Mall',
}

const entry = (time: string, denomination_cents: number, state: DayState, till = 'Front counter'): DayEntry => ({
  id: time,
  at: new Date(`2026-11-28T${time}:00+08:00`),
  serial: '2004839201186',
  denomination_cents,
  state,
  receipt_number: undefined,
  till,
  voidedAt: undefined,
  recordedAt: undefined,
  row: undefined,
})

const summaryOf = (entries: DayEntry[], others: Date | 'all' | 'none' = 'all') =>
  shiftSummary({
    day: '2026-11-28',
    entries,
    others,
    user: USER,
    till: 'Front counter',
    now: new Date('2026-11-28T18:02:00+08:00'),
  })

describe('the summary of a shift', () => {
  it('says of which shop, cashier, till and day it is, and counts each denomination', () => {
    const entries = [
      entry('17:40', 500, 'Voided'),
      entry('12:00', 1_000, 'Uploading'),
      entry('09:05', 500, 'Redeemed'),
      entry('09:02', 1_000, 'Redeemed'),
    ]
    const { from, title, lines } = summaryOf(entries)
    expect(from).toEqual(['Kopi & Grain Pte. Ltd.', 'Tampines Mall'])
    expect(title).toBe('Shift summary')
    expect(lines).toEqual([
      ['Cashier', 'till-1'],
      ['Till', 'Front counter'],
      ['Day', '28 Nov 2026'],
      ['First voucher', '09:02'],
      ['Last voucher', '17:40'],
      ['Printed', '28 Nov 2026, 18:02'],
      ['$5.00', '1 voucher, $5.00'],
      ['$10.00', '2 vouchers, $20.00'],
      ['Total', '3 vouchers, $25.00'],
      ['Of it waiting for upload', '1 voucher, $10.00'],
      ['Voided', '1 voucher, $5.00'],
    ])
  })

  it('has what is at the shop’s risk, lost, refused or being voided in no total', () => {
    const entries = [
      entry('12:00', 1_000, 'At risk'),
      entry('11:00', 2_000, 'Lost'),
      entry('10:00', 500, 'Refused after upload'),
      entry('09:30', 1_000, 'Voiding'),
      entry('09:00', 500, 'Redeemed'),
    ]
    expect(summaryOf(entries).lines.slice(7)).toEqual([
      ['Total', '1 voucher, $5.00'],
      ['Of it waiting for upload', '0 vouchers, $0.00'],
      ['At the shop’s risk', '1 voucher, $10.00'],
      ['Lost', '1 voucher, $20.00'],
      ['Refused after upload', '1 voucher, $5.00'],
      ['Being voided', '1 voucher, $10.00'],
      ['Voided', '0 vouchers, $0.00'],
    ])
  })

  it('names each till of the shift, and how old what it knows of other tills is', () => {
    const entries = [entry('12:00', 1_000, 'Redeemed'), entry('09:00', 1_000, 'Redeemed', 'Back counter')]
    const old = summaryOf(entries, new Date('2026-11-28T14:02:00+08:00')).lines
    expect(old).toContainEqual(['Tills', 'Front counter, Back counter'])
    expect(old).toContainEqual(['Other tills as of', '14:02'])
    expect(summaryOf([], 'none').lines).toContainEqual(['Other tills', 'Not known here'])
  })
})
