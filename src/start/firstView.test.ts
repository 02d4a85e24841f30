import { expect, it } from 'vitest'
import { isOneOf, loggedInUser } from './firstView.ts'

const NOW = Date.UTC(2026, 10, 29, 9)
const USER = { guid: 'u1', type: 'POS User' }

/** The storage of a user whose session ends after ten idle minutes. */
const stored =
  (rows: Record<string, unknown> = {}) =>
  (key: string) => {
    const all = {
      auth: { session: { idle_seconds: 600 }, user: USER },
      token: { token: 't' },
      'last-action': NOW,
      ...rows,
    }
    const row = (all as Record<string, unknown>)[key]
    return row === undefined ? null : JSON.stringify(row)
  }

it('who acted a moment ago is logged in, and who rested for too long is not', () => {
  expect(loggedInUser(stored(), NOW + 599_000)).toEqual(USER)
  expect(loggedInUser(stored(), NOW + 600_000)).toBeNull()
})

it('nobody is logged in without a session, a token or a storage', () => {
  expect(loggedInUser(stored({ auth: { left: 'chosen' } }), NOW)).toBeNull()
  expect(loggedInUser(stored({ token: null }), NOW)).toBeNull()
  expect(loggedInUser(() => null, NOW)).toBeNull()
})

it('an address is one of the paths that have a file in common, whatever stands in place of a parameter', () => {
  expect(isOneOf('/vouchers /branches/$/$', '/branches/adhoc/7')).toBe(true)
  expect(isOneOf('/vouchers /branches/$/$', '/vouchers')).toBe(true)
  expect(isOneOf('/branches/$/$', '/branches/adhoc')).toBe(false)
})
