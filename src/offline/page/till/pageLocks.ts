/** Which vouchers a living page is dealing with; the browser lets go of a page's locks when the page dies, however it dies. */
export interface PageLocks {
  keep: (id: string) => Promise<void>
  leave: (id: string) => void
  /** Those that a page of this browser keeps now; undefined where the browser cannot tell. */
  kept: () => Promise<ReadonlySet<string> | undefined>
}

const PREFIX = 'voucher-'

/** Over the browser's Web Locks; a browser without them knows only of time (Till.releaseOrphans). */
export function pageLocks(): PageLocks {
  return navigator.locks
    ? webLocks()
    : { keep: async () => undefined, leave: () => undefined, kept: async () => undefined }
}

function webLocks(): PageLocks {
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
