import { expect, it } from 'vitest'
import type { UserType } from '../contract/accounts/permissions.ts'
import { moreOf, sidebarOf } from './sidebar.ts'

const SPEC = ['Profile', 'Masters', 'Branches', 'Vouchers', 'Reports', 'Resources']
const without = (...labels: string[]) => SPEC.filter((label) => !labels.includes(label))
const MORE = ['Payments', 'Tills', 'Activity']

it.each<[UserType, string[], string[]]>([
  ['HRP Merchant', SPEC, MORE],
  ['Additional Merchant', without('Masters'), MORE],
  ['ADHOC Merchant', without('Masters', 'Resources'), MORE],
  ['Branch Merchant', without('Masters', 'Branches'), ['Tills', 'Activity']],
  ['POS User', [], []],
])('%s has the items of the specification in its order, and the others below them', (type, items, more) => {
  expect(sidebarOf(type).map(({ label }) => label)).toEqual(items)
  expect(moreOf(type).map(({ label }) => label)).toEqual(more)
})
