import type { Page } from '@playwright/test'

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
