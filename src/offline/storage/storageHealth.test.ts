import { forceCloseDatabase } from 'fake-indexeddb'
import { expect, it } from 'vitest'
import { DeviceDatabase } from '../store/databases.ts'
import { storageHealth, watchDatabase } from './storageHealth.ts'

it('a database connection that the browser closes, as Safari does in the background, is reopened and its queries run again', async () => {
  const database = watchDatabase(new DeviceDatabase())
  const draft = { key: 'onboarding', values: { name: 'Tan Trading' }, savedAt: 1 }
  await database.drafts.put(draft)
  for (const times of [1, 2]) {
    const before = storageHealth.reopened
    forceCloseDatabase(database.backendDB() as never)
    // This makes live queries run again, because they may have failed with the connection.
    await expect.poll(() => storageHealth.reopened).toBe(before + 1)
    expect([times, await database.drafts.toArray()]).toEqual([times, [draft]])
    expect(storageHealth.trouble).toBe('none')
  }
  database.close()
})
