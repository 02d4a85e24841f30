import { expect, type Page } from '@playwright/test'

/** Functions with which browser tests change the storage of a device. They all run in the page; the product has no code for such faults. */

/** Returns the name of a user's database. */
export const ofUser = (owner: string) => `mp-u-${owner}`

/** Matches the database of the only user in this browser. */
const OF_USER = ofUser('')

/** The database of the device. */
export const OF_DEVICE = 'mp-device'

/**
 * Reads the rows of one table without the product's code, from a database of any version. `database` is its name or the beginning of it. Returns []
 * if there is no such database.
 */
export const storedRows = <Row = Record<string, unknown>>(
  page: Page,
  database: string,
  table: string,
): Promise<Row[]> =>
  page.evaluate(
    async ([wanted, from]) => {
      const names = (await indexedDB.databases()).map(({ name }) => name!)
      const name = names.find((one) => one === wanted) ?? names.find((one) => one.startsWith(wanted))
      if (name === undefined) return []
      const opening = indexedDB.open(name)
      await new Promise((resolve) => (opening.onsuccess = resolve))
      const reading = opening.result.transaction(from).objectStore(from).getAll()
      await new Promise((resolve) => (reading.onsuccess = resolve))
      opening.result.close()
      return reading.result as Row[]
    },
    [database, table] as const,
  )

/** Returns the row with one key, or undefined. */
export const storedRow = async (page: Page, database: string, table: string, wanted: string) =>
  (await storedRows(page, database, table)).find(({ key }) => key === wanted)

/** Writes rows without the product's code. Each replaces the row with its key. */
export const putRows = (page: Page, database: string, table: string, rows: readonly object[]): Promise<void> =>
  page.evaluate(
    async ([name, to, all]) => {
      const opening = indexedDB.open(name)
      await new Promise((resolve) => (opening.onsuccess = resolve))
      const writing = opening.result.transaction(to, 'readwrite')
      for (const row of all) writing.objectStore(to).put(row)
      await new Promise((resolve) => (writing.oncomplete = resolve))
      opening.result.close()
    },
    [database, table, rows] as const,
  )

/** Returns the draft under `key` as JSON, or 'null'. */
export const storedDraft = async (page: Page, key: string, database = OF_DEVICE): Promise<string> =>
  JSON.stringify((await storedRow(page, database, 'drafts', key)) ?? null)

/** Waits until the typed text is in the user's database. It is stored a moment after the last key. */
export const expectDraftStored = (page: Page, key: string, text: string): Promise<void> =>
  expect.poll(() => storedDraft(page, key, OF_USER)).toContain(text)

/**
 * Limits what the origin may store, in bytes; without a number the browser's own limit applies. Set it before the origin stores anything: the browser
 * remembers the free space for half a minute.
 */
export async function limitStorage(page: Page, origin: string, bytes?: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Storage.overrideQuotaForOrigin', { origin, ...(bytes === undefined ? {} : { quotaSize: bytes }) })
}

/** Opens a user's database in `window` and never closes it. */
export const holdDatabaseOpen = (page: Page, owner: string): Promise<void> =>
  page.evaluate(async (name) => {
    const opening = indexedDB.open(name)
    await new Promise((resolve) => (opening.onsuccess = resolve))
    Object.assign(window, { held: opening.result })
  }, ofUser(owner))

/** Makes everything that is kept for `owner`, or only the row with one key, look fetched `ms` earlier. */
export async function ageCachedRows(page: Page, owner: string, ms: number, only?: string): Promise<void> {
  for (const table of ['lists', 'reads']) {
    const all = await storedRows<{ key: string; fetchedAt: number }>(page, ofUser(owner), table)
    const aged = all.filter(({ key }) => only === undefined || key === only)
    for (const row of aged) row.fetchedAt -= ms
    await putRows(page, ofUser(owner), table, aged)
  }
}

/** The storage of one origin, with the parts that Playwright's types leave out. */
interface StoredState {
  localStorage: { name: string; value: string }[]
  indexedDB: { name: string; version: number; stores: { name: string; records: object[] }[] }[]
}

/**
 * Returns everything that a script can read of the portal's storage in this browser, and `state` to start another browser with. A key that cannot be
 * exported is empty.
 */
export async function readStorage(page: Page) {
  const state = await page.context().storageState({ indexedDB: true })
  const [{ localStorage, indexedDB }] = state.origins as never as [StoredState]
  return { state, localStorage, indexedDB }
}
