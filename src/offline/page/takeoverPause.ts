const AT_MOST_MS = 5_000

let pause: Promise<unknown> = Promise.resolve()

/** Resolves when this tab may ask for something: not while a new worker takes the place of the one in use. */
export const takeoverOver = (): Promise<unknown> => pause

/**
 * From here on this tab asks for nothing, until `end` or for five seconds. Chromium (156) first has the worker in use stop. A
 * request that starts it again meanwhile makes the browser forget that another one is to take over, for half a minute after the
 * last request at least and for five minutes at most, and no word of a page or a worker brings it back to mind.
 */
export function pauseForTakeover(end: Promise<unknown>): void {
  const longest = new Promise((resolve) => setTimeout(resolve, AT_MOST_MS))
  pause = Promise.race([end, longest])
}
