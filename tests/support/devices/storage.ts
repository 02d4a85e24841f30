import { expect, type Page } from '@playwright/test'

/** What the browser tests do to a device's storage. All of it is in the page's own world: no fault is in the product. */

/** The database of a person. */
export const ofUser = (owner: string) => `mp-u-${owner}`

/** The only person's of this browser. */
const OF_USER = ofUser('')

/** What belongs to the device. */
export const OF_DEVICE = 'mp-device'

/**
 * The rows of one table, read past the product at whatever version the database is. `database`: its name, or how it begins. None
 * where there is no such database.
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

/** The row of one key; undefined if there is none. */
export const storedRow = async (page: Page, database: string, table: string, wanted: string) =>
  (await storedRows(page, database, table)).find(({ key }) => key === wanted)

/** Writes rows past the product, each over the one of its key. */
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

/** What lies under `key` in the drafts, as JSON; `null` if nothing does. */
export const storedDraft = async (page: Page, key: string, database = OF_DEVICE): Promise<string> =>
  JSON.stringify((await storedRow(page, database, 'drafts', key)) ?? null)

/** Until what was typed lies in the database of the person, as it does a moment after the last key. */
export const expectDraftStored = (page: Page, key: string, text: string): Promise<void> =>
  expect.poll(() => storedDraft(page, key, OF_USER)).toContain(text)

/**
 * What the origin may store from now on, in bytes; without a number the browser's own limit. The browser remembers for half a
 * minute how much was left: set it before the origin stores anything.
 */
export async function limitStorage(page: Page, origin: string, bytes?: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Storage.overrideQuotaForOrigin', { origin, ...(bytes === undefined ? {} : { quotaSize: bytes }) })
}

/** Opens a person's database in `window` and never lets go of it, whoever asks. */
export const holdDatabaseOpen = (page: Page, owner: string): Promise<void> =>
  page.evaluate(async (name) => {
    const opening = indexedDB.open(name)
    await new Promise((resolve) => (opening.onsuccess = resolve))
    Object.assign(window, { held: opening.result })
  }, ofUser(owner))

/** Everything kept for `owner` was fetched `ms` earlier than it was; or the row of one key. */
export async function ageCachedRows(page: Page, owner: string, ms: number, only?: string): Promise<void> {
  for (const table of ['lists', 'reads']) {
    const all = await storedRows<{ key: string; fetchedAt: number }>(page, ofUser(owner), table)
    const aged = all.filter(({ key }) => only === undefined || key === only)
    for (const row of aged) row.fetchedAt -= ms
    await putRows(page, ofUser(owner), table, aged)
  }
}

/** Of one origin, with what Playwright's types leave out. */
interface StoredState {
  localStorage: { name: string; value: string }[]
  indexedDB: { name: string; version: number; stores: { name: string; records: object[] }[] }[]
}

/**
 * Everything that a script can read of what this browser stores for the portal, and `state` to begin another browser with. A key that
 * cannot leave it comes out empty.
 */
export async function readStorage(page: Page) {
  const state = await page.context().storageState({ indexedDB: true })
  const [{ localStorage, indexedDB }] = state.origins as never as [StoredState]
  return { state, localStorage, indexedDB }
}
