/** Globals of the browser and of node; the domain is compiled with the types of neither. */
declare function setTimeout(run: () => void, ms: number): unknown
declare function clearTimeout(timer: unknown): void

/** Answers what `work` gives; after `ms`, what `late` gives or throws. The work itself goes on, unheard. */
export async function within<T, L = undefined>(ms: number, work: Promise<T>, late?: () => L): Promise<T | L> {
  let timer: unknown
  const end = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  try {
    return await Promise.race([work, end.then(() => late?.() as L)])
  } finally {
    clearTimeout(timer)
  }
}

/** After `ms`. */
export const after = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))
