import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installBrowserGlobals } from '../../../tests/support/browser/browserGlobals.ts'
import type { OutboxRow } from '../store/userRows.ts'

installBrowserGlobals()
const { applyRetention, planRetention, downloadKeptUntil } = await import('./outboxRetention.ts')
const { readOutbox } = await import('./outbox.ts')
const { userStore, wipeUserStore } = await import('../storage/userStore.ts')

const DAY = 24 * 60 * 60 * 1000
const NOW = Date.parse('2026-11-22T01:00:00Z')

/** `age` is in days. */
const made = (id: string, age: number, given: Partial<OutboxRow> = {}): OutboxRow => ({
  id,
  owner: 'o',
  intent: {
    report: 'daily',
    params: { day: '2026-11-20', branch_guid: null, pos_guid: null, denomination_cents: null, format: 'csv' },
  },
  title: `${id}.csv`,
  state: 'ready',
  size: 1_000,
  createdAt: NOW - age * DAY,
  settledAt: NOW - age * DAY,
  attempts: 0,
  nextAt: 0,
  leaseUntil: 0,
  received: 0,
  ...given,
})
const many = (count: number, given: Partial<OutboxRow> = {}) =>
  Array.from({ length: count }, (_, index) => made(`f${index}`, index / 10, given))

describe('finished downloads on a device', () => {
  it('are kept for seven days, then the file is deleted and the row says why', () => {
    expect(planRetention([made('a', 6.9)], NOW).filesToDelete).toEqual([])
    expect(planRetention([made('a', 7)], NOW).filesToDelete).toEqual([{ id: 'a', gone: 'age' }])
    expect(downloadKeptUntil(made('a', 0))).toBe(NOW + 7 * DAY)
  })

  it('are at most 20 files: the oldest is deleted', () => {
    expect(planRetention(many(20), NOW)).toEqual({ downloadsToDelete: [], filesToDelete: [] })
    expect(planRetention(many(21), NOW).filesToDelete).toEqual([{ id: 'f20', gone: 'room' }])
  })

  it('are at most 50 MB, or one larger file', () => {
    expect(planRetention(many(6, { size: 9_000_000 }), NOW).filesToDelete).toEqual([{ id: 'f5', gone: 'room' }])
    expect(planRetention([made('big', 0, { size: 60_000_000 }), made('b', 1)], NOW).filesToDelete).toEqual([
      { id: 'b', gone: 'room' },
    ])
  })

  it('are deleted before unsaved files if they are saved', () => {
    const { downloadsToDelete, filesToDelete } = planRetention(
      [...many(19), made('s1', 3, { state: 'saved' }), made('s2', 5, { state: 'saved' })],
      NOW,
    )
    expect({ downloadsToDelete, filesToDelete }).toEqual({ downloadsToDelete: ['s2'], filesToDelete: [] })
    expect(planRetention([made('s', 8, { state: 'saved' })], NOW).downloadsToDelete).toEqual(['s'])
    const large = [made('r', 5, { size: 40_000_000 }), made('s', 1, { state: 'saved', size: 20_000_000 })]
    expect(planRetention(large, NOW)).toEqual({ downloadsToDelete: ['s'], filesToDelete: [] })
  })

  it('are all that is deleted: waiting and failed downloads stay', () => {
    const open = [made('w', 30, { state: 'waiting' }), made('x', 30, { state: 'failed' })]
    expect(planRetention(open, NOW)).toEqual({ downloadsToDelete: [], filesToDelete: [] })
  })

  describe('in the database', () => {
    let owner: string
    beforeEach(() => {
      owner = crypto.randomUUID()
    })
    afterEach(() => wipeUserStore(owner))

    it('are deleted, and the row of an unsaved one stays, so that it can be requested again', async () => {
      const store = userStore(owner)
      await store.outbox.bulkAdd([made('old', 8), made('new', 1), made('saved', 8, { state: 'saved' })])
      await store.files.bulkAdd(
        ['old', 'new', 'saved'].map((id) => ({ id, bytes: new ArrayBuffer(3), type: 'text/csv' })),
      )
      await applyRetention(store, await readOutbox(store), NOW)
      expect(await store.outbox.get('old')).toMatchObject({ state: 'failed', gone: 'age' })
      expect((await store.files.toArray()).map(({ id }) => id)).toEqual(['new'])
    })
  })
})
