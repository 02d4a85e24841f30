/** Globals of the browser and of Node; the domain is compiled without the types of either. */
declare function setTimeout(run: () => void, ms: number): unknown
declare function clearTimeout(timer: unknown): void

/** Returns the result of `work`; after `ms`, that of `late`, which may throw. The work itself goes on, but its result is ignored. */
export async function within<T, L = undefined>(ms: number, work: Promise<T>, late?: () => L): Promise<T | L> {
  let timer: unknown
  const end = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  try {
    return await Promise.race([work, end.then(() => late?.() as L)])
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves after `ms`. */
export const after = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))
