import { forceCloseDatabase } from 'fake-indexeddb'
import { expect, it } from 'vitest'
import { DeviceDatabase } from '../store/databases.ts'
import { storageHealth, watchDatabase } from './storageHealth.ts'

it('a connection that the browser closes, as Safari does to a page in the background, is opened again and asked anew', async () => {
  const database = watchDatabase(new DeviceDatabase())
  const draft = { key: 'onboarding', values: { name: 'Tan Trading' }, savedAt: 1 }
  await database.drafts.put(draft)
  for (const times of [1, 2]) {
    const before = storageHealth.reopened
    forceCloseDatabase(database.backendDB() as never)
    // Live queries run again: they may have failed with the database connection.
    await expect.poll(() => storageHealth.reopened).toBe(before + 1)
    expect([times, await database.drafts.toArray()]).toEqual([times, [draft]])
    expect(storageHealth.trouble).toBe('none')
  }
  database.close()
})
