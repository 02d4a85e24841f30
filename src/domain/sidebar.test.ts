import { describe, expect, it } from 'vitest'
import { permissionsOf } from './accounts/permissions.ts'
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

  it('leaves out what the server’s map does not have', () => {
    const map = permissionsOf('HRP Merchant', 'Active')
    const narrowed = { ...map, vouchers: { ...map.vouchers, view: false }, resources: {} }
    const labels = sidebarOf('HRP Merchant', narrowed).map(({ label }) => label)
    expect(labels).toEqual(['Profile', 'Masters', 'Branches', 'Reports'])
  })

  it('gives Reports its two children', () => {
    const reports = sidebarOf('HRP Merchant').find(({ label }) => label === 'Reports')
    expect(reports?.children?.map(({ label }) => label)).toEqual(['Transaction Report', 'Monthly Report'])
  })
})
