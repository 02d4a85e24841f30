/** Which vouchers a living page is dealing with; the browser lets go of a page's locks when the page dies, however it dies. */
export interface PageLocks {
  keep: (id: string) => Promise<void>
  leave: (id: string) => void
  /** Those that a page of this browser keeps now. */
  kept: () => Promise<ReadonlySet<string>>
}

const PREFIX = 'voucher-'

/** Over the browser's Web Locks, which every browser that can install the portal has. */
export function pageLocks(): PageLocks {
  const release = new Map<string, () => void>()
  return {
    keep: (id) =>
      new Promise((kept) => {
        const untilLeft = () =>
          new Promise<void>((left) => {
            release.set(id, left)
            kept()
          })
        void navigator.locks.request(PREFIX + id, untilLeft)
      }),
    leave: (id) => {
      release.get(id)?.()
      release.delete(id)
    },
    kept: async () => {
      const { held = [] } = await navigator.locks.query()
      return new Set(held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])))
    },
  }
}
