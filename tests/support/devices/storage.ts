import type { Page } from '@playwright/test'

/** What the browser tests do to a device's storage. All of it is in the page's own world: no fault is in the product. */

/** Makes a person's database as the release before left it, with one download in it, while nobody is signed in. */
export const makeDatabaseOfEarlierRelease = (page: Page, owner: string, row: object): Promise<void> =>
  page.evaluate(
    async ({ name, kept }) => {
      const opening = indexedDB.open(name, 20)
      opening.onupgradeneeded = () => {
        const made = opening.result
        for (const table of ['lists', 'files'])
          made.createObjectStore(table, { keyPath: table === 'lists' ? 'key' : 'id' })
        made.createObjectStore('reads', { keyPath: 'key' }).createIndex('fetchedAt', 'fetchedAt')
        made.createObjectStore('outbox', { keyPath: 'id' }).createIndex('createdAt', 'createdAt')
        made.createObjectStore('drafts', { keyPath: 'key' })
      }
      await new Promise((resolve) => (opening.onsuccess = resolve))
      const writing = opening.result.transaction('outbox', 'readwrite')
      writing.objectStore('outbox').put(kept)
      await new Promise((resolve) => (writing.oncomplete = resolve))
      opening.result.close()
    },
    { name: `mp-u-${owner}`, kept: row },
  )

/** Reads one table of a person's database past the product, at whatever version it is; of the device's own without a person. */
export const storedRows = (page: Page, owner: string | undefined, table: string): Promise<unknown[]> =>
  page.evaluate(
    async ({ name, from }) => {
      const opening = indexedDB.open(name)
      await new Promise((resolve) => (opening.onsuccess = resolve))
      const reading = opening.result.transaction(from).objectStore(from).getAll()
      await new Promise((resolve) => (reading.onsuccess = resolve))
      opening.result.close()
      return reading.result as unknown[]
    },
    { name: owner === undefined ? 'mp-device' : `mp-u-${owner}`, from: table },
  )

/**
 * What the origin may store from now on, in bytes; without a number the browser's own limit. The browser remembers for half a
 * minute how much was left: set it before the origin stores anything.
 */
export async function limitStorage(page: Page, origin: string, bytes?: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Storage.overrideQuotaForOrigin', { origin, ...(bytes === undefined ? {} : { quotaSize: bytes }) })
}

/** Puts programme files of `bytes` each into a person's database, the first the oldest, as opening them would. */
export const storeFiles = (page: Page, owner: string, ids: string[], bytes: number): Promise<void> =>
  page.evaluate(
    async ({ name, all, size }) => {
      const opening = indexedDB.open(name)
      await new Promise((resolve) => (opening.onsuccess = resolve))
      const writing = opening.result.transaction(['keptFiles', 'files'], 'readwrite')
      for (const [index, id] of all.entries()) {
        const row = { id, filename: `${id}.pdf`, type: 'application/pdf', size, version: 'v', keptAt: index + 1 }
        writing.objectStore('keptFiles').put(row)
        // The browser compresses what it stores, and gives out so much randomness at a time.
        const data = new Uint8Array(size)
        for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(data.subarray(at, at + 65_536))
        writing.objectStore('files').put({ id, bytes: data.buffer, type: row.type })
      }
      await new Promise((resolve) => (writing.oncomplete = resolve))
      opening.result.close()
    },
    { name: `mp-u-${owner}`, all: ids, size: bytes },
  )

/** Opens a person's database in `window` and never lets go of it, whoever asks. */
export const holdDatabaseOpen = (page: Page, owner: string): Promise<void> =>
  page.evaluate(async (name) => {
    const opening = indexedDB.open(name)
    await new Promise((resolve) => (opening.onsuccess = resolve))
    Object.assign(window, { held: opening.result })
  }, `mp-u-${owner}`)

type Shelf = 'lists' | 'reads'

/** A row as the device keeps it for `owner`; undefined if there is none. */
export const cachedRow = (page: Page, owner: string, shelf: Shelf, key: string): Promise<unknown> =>
  page.evaluate(
    async ([name, table, wanted]) => {
      if (!(await indexedDB.databases()).some((database) => database.name === name)) return undefined
      const opened = indexedDB.open(name!)
      await new Promise((resolve) => (opened.onsuccess = resolve))
      const asked = opened.result.transaction(table!).objectStore(table!).get(wanted!)
      await new Promise((resolve) => (asked.onsuccess = resolve))
      opened.result.close()
      return asked.result as unknown
    },
    [`mp-u-${owner}`, shelf, key],
  )

/** Everything kept for `owner` was fetched `ms` earlier than it was. */
export const ageCachedRows = (page: Page, owner: string, ms: number): Promise<void> =>
  page.evaluate(
    async ([name, by]) => {
      const opened = indexedDB.open(name as string)
      await new Promise((resolve) => (opened.onsuccess = resolve))
      const writing = opened.result.transaction(['lists', 'reads'], 'readwrite')
      for (const table of ['lists', 'reads']) {
        const all = writing.objectStore(table).getAll()
        all.onsuccess = () => {
          for (const row of all.result as { fetchedAt: number }[]) {
            writing.objectStore(table).put({ ...row, fetchedAt: row.fetchedAt - (by as number) })
          }
        }
      }
      await new Promise((resolve) => (writing.oncomplete = resolve))
      opened.result.close()
    },
    [`mp-u-${owner}`, ms],
  )

/** Everything that a script can read of what this browser stores for the portal. A key that cannot leave it comes out empty. */
export async function readStorage(page: Page) {
  const cookies = await page.context().cookies()
  const stored = await page.evaluate(async () => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(new Error('IndexedDB'))
      })
    const read = async ({ name, version }: IDBDatabaseInfo) => {
      const database = await settled(indexedDB.open(name!))
      const stores = await Promise.all(
        [...database.objectStoreNames].map(async (storeName) => {
          const store = database.transaction(storeName).objectStore(storeName)
          const indexes = [...store.indexNames].map((index) => store.index(index))
          return {
            name: storeName,
            keyPath: store.keyPath,
            indexes: indexes.map(({ name: of, keyPath, unique, multiEntry }) => ({ of, keyPath, unique, multiEntry })),
            rows: (await settled(store.getAll())) as unknown[],
          }
        }),
      )
      database.close()
      return { name: name!, version: version!, stores }
    }
    const databases = await Promise.all((await indexedDB.databases()).map(read))
    return { local: { ...localStorage } as Record<string, string>, databases }
  })
  return { cookies, ...stored }
}

/** Makes another browser store the same, before the portal is opened in it: `page` shows a plain file of its origin. */
export async function writeStorage(page: Page, copy: Awaited<ReturnType<typeof readStorage>>): Promise<void> {
  await page.context().addCookies(copy.cookies)
  await page.evaluate(async ({ local, databases }) => {
    for (const [key, value] of Object.entries(local)) localStorage.setItem(key, value)
    for (const { name, version, stores } of databases) {
      const opening = indexedDB.open(name, version)
      opening.onupgradeneeded = () => {
        for (const { name: store, keyPath, indexes, rows } of stores) {
          const made = opening.result.createObjectStore(store, { keyPath })
          for (const { of, keyPath: path, ...options } of indexes) made.createIndex(of, path, options)
          for (const row of rows) made.put(row)
        }
      }
      await new Promise((resolve) => (opening.onsuccess = resolve))
      opening.result.close()
    }
  }, copy)
}
