import { afterEach, expect, it } from 'vitest'
import { installBrowserGlobals } from '../../tests/support/browser/browserGlobals.ts'
import { newHold } from './redemptions/tillHold.ts'
import type { TillRow } from './store/till.ts'

installBrowserGlobals()
const { tillDatabase } = await import('./redemptions/openTill.ts')
const { removeAllStoredData } = await import('./removeStoredData.ts')

afterEach(() => tillDatabase().vouchers.clear())

const store = async (more: object) => {
  const { row } = await newHold({ owner: 'o', owner_name: 'till-1', till: 't', serial: '2000000000015' }, Date.now())
  await tillDatabase().vouchers.put({ ...row, ...more } as TillRow)
}

it('removes the settled vouchers of a revoked till', async () => {
  await store({ state: 'gone', settledAt: 1 })
  expect(await removeAllStoredData()).toBe(true)
  expect(await tillDatabase().vouchers.count()).toBe(0)
})

it.each([
  ['that waits for the server', { state: 'confirmed' }],
  ['that this release cannot read, as after a downgrade: it may be money', { state: 'of a later release' }],
])('removes nothing if there is a voucher %s', async (_, more) => {
  await store(more)
  expect(await removeAllStoredData()).toBe(false)
  expect(await tillDatabase().vouchers.count()).toBe(1)
})
