import { expect, it } from 'vitest'
import { itemFinder } from './findItems.ts'
import type { Item } from './paletteItems.ts'
import { SYNONYMS } from './synonyms.ts'

const find = itemFinder(
  Object.keys(SYNONYMS).map((label): Item => ({
    id: label,
    label,
    detail: 'Page',
    icon: {} as Item['icon'],
    go: { to: '/' },
  })),
)

it.each([
  ['void', 'Voided', 'How to undo a redemption'],
  ['cancel', 'Voided', 'How to undo a redemption'],
  ['refund', 'Voided', 'How to undo a redemption'],
  ['undo', 'Voided', 'How to undo a redemption'],
  ['how to void', 'How to undo a redemption'],
  ['how to undo', 'How to undo a redemption'],
  ['who voided', 'Voided redemptions'],
  ['till', 'Tills', 'This device'],
  ['tablet', 'Tills', 'This device'],
  ['device', 'Tills', 'This device'],
  ['devices', 'Tills'],
  ['cashier', 'POS users', 'Import POS users'],
  ['staff', 'POS users', 'Import POS users'],
  ['pin', 'POS users'],
  ['payout', 'Payments'],
  ['money', 'Payments'],
  ['paid', 'Payments'],
  ['log', 'Activity', 'Logout'],
  ['history', 'Activity'],
  ['audit', 'Activity'],
  ['shop', 'Branches', 'Create branch'],
  ['outlet', 'Branches', 'Create branch'],
  ['store', 'Branches', 'Create branch'],
  ['new branch', 'Create branch'],
  ['add outlet', 'Create branch'],
  ['stall', 'Create adhoc branch', 'Adhoc branches'],
  ['password', 'Change password', 'POS users'],
  ['download', 'Downloads', 'Transaction Report', 'Monthly Report', 'Daily Report'],
  ['excel', 'Transaction Report', 'Monthly Report', 'Import branches'],
  ['csv', 'Transaction Report', 'Payments', 'Import branches'],
  ['upload', 'Import branches', 'Late uploads'],
  ['sign out', 'Logout'],
  ['log out', 'Logout'],
  ['printer', 'This device'],
  ['settings', 'This device', 'Profile'],
  ['manager', 'Masters'],
  ['coupon', 'Vouchers'],
  ['stuck', 'With vouchers waiting'],
  ['bank', 'Payments'],
  ['support', 'Help'],
])('%s finds %s', (typed, ...labels) => {
  const found = find(typed).map(({ label }) => label)
  expect(found).toEqual(expect.arrayContaining(labels))
  expect(found.indexOf(labels[0]!)).toBeLessThan(6)
})
