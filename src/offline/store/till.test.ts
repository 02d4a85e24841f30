import { Dexie } from 'dexie'
import { describe, expect, it } from 'vitest'
import { readTillRows } from '../redemptions/tillRows.ts'
import { TillDatabase } from './till.ts'

const receipt = {
  id: '01a20017-0d79-75ae-9a7e-b73d691af3c5',
  serial: '2004839201186',
  denomination_cents: 1000,
  expires_on: '2026-12-31',
  receipt_number: 'R-000001',
  redeemed_at: '2026-11-20T01:41:07Z',
  pos_username: 'till-1',
  branch_name: 'Tampines Central',
}
const earlier = (id: string, state: string, more: object = {}) => ({
  id,
  owner: 'cashier',
  serial: receipt.serial,
  denomination_cents: 1000,
  expires_on: '2026-12-31',
  state,
  askedAt: 1,
  sentAt: 1,
  ...more,
})

async function leftByEarlierRelease(name: string) {
  const database = new Dexie(name)
  database.version(1).stores({ redemptions: 'id, owner, askedAt' })
  await database
    .table('redemptions')
    .bulkAdd([
      earlier(receipt.id, 'receipted', { receipt }),
      earlier('r-2', 'asking'),
      earlier('r-3', 'abandoned'),
      earlier('r-4', 'refused'),
      earlier('r-5', 'nothing taken'),
    ])
  database.close()
}

describe('what the release before holds left on the device', () => {
  it('keeps its receipts, and asks for attention where nothing was ever settled', async () => {
    const name = `till-${crypto.randomUUID()}`
    await leftByEarlierRelease(name)
    const rows = await readTillRows(new TillDatabase(name))
    expect(rows.map(({ id, state, seen }) => ({ id, state, seen }))).toEqual([
      { id: receipt.id, state: 'receipted', seen: true },
      { id: 'r-2', state: 'attention', seen: false },
      { id: 'r-3', state: 'attention', seen: false },
    ])
    expect(rows[0]?.receipt?.receipt_number).toBe('R-000001')
    expect(rows[1]?.refused?.message).toContain('There was no answer')
  })
})
