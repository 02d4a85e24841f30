import { Dexie } from 'dexie'
import { DeviceDatabase, UserDatabase, userDatabaseLock, userDatabaseName } from './databases.ts'
import type { ReferenceListKey } from './referenceLists.ts'

/**
 * Writes a list into its owner's database, if the page has made one. The shared lock and the check inside it keep an answer that
 * comes in after a sign-out from bringing the deleted database back.
 */
export async function storeReferenceList(
  owner: string,
  key: ReferenceListKey,
  data: unknown,
  fetchedAt: number,
): Promise<void> {
  const write = async () => {
    if (!(await Dexie.exists(userDatabaseName(owner)))) return
    const database = new UserDatabase(owner)
    try {
      await database.lists.put({ key, data, fetchedAt })
    } finally {
      database.close()
    }
  }
  await (navigator.locks ? navigator.locks.request(userDatabaseLock(owner), { mode: 'shared' }, write) : write())
}

/** Writes a public list for whoever holds the device. Nothing ever deletes that database, so the worker may make it too. */
export async function storePublicList(key: ReferenceListKey, data: unknown, fetchedAt: number): Promise<void> {
  const database = new DeviceDatabase()
  try {
    await database.lists.put({ key, data, fetchedAt })
  } finally {
    database.close()
  }
}
