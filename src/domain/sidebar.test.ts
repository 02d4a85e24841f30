import { describe, expect, it } from 'vitest'
import { sidebarOf } from './sidebar.ts'

describe('the sidebar', () => {
  it.each([
    ['HRP Merchant', ['Profile', 'Masters', 'Branches', 'Vouchers', 'Reports', 'Resources']],
    ['Additional Merchant', ['Profile', 'Branches', 'Vouchers', 'Reports', 'Resources']],
    ['ADHOC Merchant', ['Profile', 'Branches', 'Vouchers', 'Reports']],
    ['Branch Merchant', ['Profile', 'Vouchers', 'Reports', 'Resources']],
    ['POS User', []],
  ] as const)('of %s holds exactly the items of rule 16.5', (type, labels) => {
    expect(sidebarOf(type).map(({ label }) => label)).toEqual(labels)
  })

  it('gives Reports its two children', () => {
    const reports = sidebarOf('HRP Merchant').find(({ label }) => label === 'Reports')
    expect(reports?.children?.map(({ label }) => label)).toEqual(['Transaction Report', 'Monthly Report'])
  })
})
