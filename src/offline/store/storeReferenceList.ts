import { DeviceDatabase, inUserDatabase } from './databases.ts'
import type { ReferenceListKey } from './referenceLists.ts'

/** Writes a list into the database of its owner. Does nothing if no page has created that database. */
export async function storeReferenceList(
  owner: string,
  key: ReferenceListKey,
  data: unknown,
  fetchedAt: number,
): Promise<void> {
  await inUserDatabase(owner, ({ lists }) => lists.put({ key, data, fetchedAt }))
}

/** Writes a public list into the device's database, which is never deleted. */
export async function storePublicList(key: ReferenceListKey, data: unknown, fetchedAt: number): Promise<void> {
  const database = new DeviceDatabase()
  try {
    await database.lists.put({ key, data, fetchedAt })
  } finally {
    database.close()
  }
}
