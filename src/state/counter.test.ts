import { beforeEach, expect, it, vi } from 'vitest'
import { installBrowserGlobals } from '../../tests/support/browser/browserGlobals.ts'
import type { User } from '../contract/accounts/user.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-26T23:50:00+08:00') })
  installBrowserGlobals()
  return () => vi.useRealTimers()
})

const posUser = (guid: string) => ({ guid, type: 'POS User' }) as User

/** The page loaded with `cashier` logged in, if anybody. */
async function openPage(cashier?: string) {
  vi.resetModules()
  const { auth } = await import('./auth.ts')
  const logIn = (guid: string | undefined) => Object.assign(auth, { user: guid === undefined ? null : posUser(guid) })
  logIn(cashier)
  return { ...(await import('./counter.ts')), logIn }
}

it('an open bill is there again for its cashier, after a battery ran out or the server ended the session', async () => {
  const { openBill, addRedeemed } = await openPage('till-1')
  openBill(4_000)
  addRedeemed('voucher')
  const later = await openPage('till-1')
  expect(later.bill).toMatchObject({ open: true, amount_cents: 4_000, taken: ['voucher'] })
  later.logIn(undefined)
  expect(later.bill.open).toBe(false)
  later.logIn('till-1')
  expect(later.bill).toMatchObject({ open: true, taken: ['voucher'] })
})

it.each(['in the same page', 'in a page of their own'])(
  'another cashier never sees the bill (%s), and its own has no customer left for it',
  async (where) => {
    const first = await openPage('till-1')
    first.openBill(4_000)
    const second = where === 'in the same page' ? first : await openPage()
    second.logIn('till-2')
    expect(second.bill).toMatchObject({ open: false, amount_cents: null, taken: [] })
    second.logIn('till-1')
    expect(second.bill.open).toBe(false)
  },
)

it('the bill of yesterday is not there today', async () => {
  const { openBill } = await openPage('till-1')
  openBill(4_000)
  vi.advanceTimersByTime(11 * 60_000)
  expect((await openPage('till-1')).bill.open).toBe(false)
})

it('an amount that is changed after midnight changes no day', async () => {
  const { bill, openBill } = await openPage('till-1')
  openBill(4_000)
  vi.advanceTimersByTime(11 * 60_000)
  openBill(5_000)
  expect(bill).toMatchObject({ day: '2026-11-26', amount_cents: 5_000 })
})
