import { describe, expect, it } from 'vitest'
import { permissionsOf } from './accounts/permissions.ts'
import { gate, homeOf, landingOf, SOURCE_PARAMETER, type Visitor } from './gate.ts'

const person = (type: Visitor['type'], status: Visitor['status'] = 'Active'): Visitor => ({ type, status })
const GUARDED = [
  '/dashboard',
  '/profile',
  '/masters',
  '/branches',
  '/vouchers',
  '/reports',
  '/payments',
  '/resources',
  '/downloads',
  '/imports/branches',
  '/imports/pos-users',
]

describe('the gate', () => {
  it('sends anonymous visitors to /login from everything but the public and the always-open paths', () => {
    for (const path of [...GUARDED, '/redeem', '/practise', '/settings/device', '/'])
      expect(gate(path, undefined)).toBe('/login')
    for (const path of [
      '/login',
      '/register',
      '/terms-of-use',
      '/404',
      '/review',
      '/enrol',
      '/onboarding',
      '/pending-authorisation',
    ]) {
      expect(gate(path, undefined)).toBeUndefined()
    }
  })

  it('sends unknown paths to /404, whoever asks', () => {
    expect(gate('/nowhere', undefined)).toBe('/404')
    expect(gate('/nowhere', person('HRP Merchant'))).toBe('/404')
    expect(gate('/imports', person('HRP Merchant'))).toBe('/404')
    expect(gate('/imports/masters', person('HRP Merchant'))).toBe('/404')
  })

  it.each([
    ['HRP Merchant', []],
    ['ADHOC Merchant', ['/masters', '/resources']],
    ['Additional Merchant', ['/masters']],
    ['Branch Merchant', ['/masters', '/branches', '/payments', '/imports/branches']],
  ] as const)('blocks for %s exactly what the spec and rule 10.10 block', (type, blocked) => {
    const closed = GUARDED.filter((path) => gate(path, person(type)) !== undefined)
    expect(closed).toEqual(blocked)
  })

  it('keeps a gated main merchant on its status page, and leaves the other types alone', () => {
    for (const status of ['Pending Activation', 'Authorisation Rejected'] as const) {
      expect(gate('/vouchers', person('HRP Merchant', status))).toBe('/onboarding')
    }
    const waiting = person('HRP Merchant', 'Pending Authorisation')
    expect(gate('/vouchers', waiting)).toBe('/pending-authorisation')
    expect(gate('/onboarding', waiting)).toBeUndefined()
    expect(homeOf(waiting)).toBe('/pending-authorisation')
  })

  it('shows a POS user the counter and the device, nothing else', () => {
    const till = person('POS User')
    expect(homeOf(till)).toBe('/redeem')
    expect(gate('/redeem', till)).toBeUndefined()
    expect(gate('/settings/device', till)).toBeUndefined()
    for (const path of GUARDED) expect(gate(path, till)).toBe('/404')
  })

  it('lets the server narrow what the table allows, and never widen it', () => {
    const narrowed = { ...person('Branch Merchant'), permissions: { masters: { view: true } } }
    expect(gate('/vouchers', narrowed)).toBe('/404')
    expect(gate('/masters', narrowed)).toBe('/404')
    const whole = { ...person('Branch Merchant'), permissions: permissionsOf('Branch Merchant', 'Active') }
    expect(gate('/vouchers', whole)).toBeUndefined()
  })
})

describe('where a login lands', () => {
  const main = person('HRP Merchant')
  it('is the path it was on its way to, query included', () => {
    expect(landingOf('/vouchers?page=2', main)).toBe('/vouchers?page=2')
  })
  it.each([
    '//evil.example',
    '\\\\evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    'https://evil.example',
    '/x y',
  ])('WEB-10: is home instead of %s', (wanted) => expect(landingOf(wanted, main)).toBe('/dashboard'))
  it('is home when the person may not go there', () => {
    expect(landingOf('/masters', person('Branch Merchant'))).toBe('/dashboard')
  })
  it('is My day for a POS user who changes the password: that has no profile', () => {
    expect(landingOf(`/profile?${SOURCE_PARAMETER}=password-manager#security`, person('POS User'))).toBe(
      '/redeem?view=day',
    )
    expect(landingOf(`/redeem?${SOURCE_PARAMETER}=shortcut`, main)).toBe('/dashboard')
  })
})
