import { Dexie } from 'dexie'
import { describe, expect, it } from 'vitest'
import { installBrowserGlobals } from '../../../tests/support/browser/browserGlobals.ts'
import { DeviceDatabase, UserDatabase, userDatabaseName } from './databases.ts'
import { isPublicList } from './referenceLists.ts'
import { storePublicList, storeReferenceList } from './storeReferenceList.ts'

installBrowserGlobals()

describe('a reference list for offline use', () => {
  it('is written into the database that the page created for its owner', async () => {
    const owner = crypto.randomUUID()
    const database = new UserDatabase(owner)
    await database.open()
    await storeReferenceList(owner, 'denominations', [{ denomination_cents: 500 }], 42)
    expect(await database.lists.get('denominations')).toEqual({
      key: 'denominations',
      data: [{ denomination_cents: 500 }],
      fetchedAt: 42,
    })
    database.close()
  })

  it('never creates a database, so that an answer after the logout leaves no trace', async () => {
    const owner = crypto.randomUUID()
    await storeReferenceList(owner, 'denominations', [], 1)
    expect(await Dexie.exists(userDatabaseName(owner))).toBe(false)
  })

  it('is written only into the device’s database if it is public', async () => {
    const list = [{ guid: crypto.randomUUID(), name: 'Groceries' }]
    await storePublicList('productServiceCategories', list, 7)
    const database = new DeviceDatabase()
    expect(await database.lists.get('productServiceCategories')).toMatchObject({ data: list, fetchedAt: 7 })
    database.close()
    expect(isPublicList('productServiceCategories')).toBe(true)
    expect(isPublicList('denominations')).toBe(false)
  })
})
