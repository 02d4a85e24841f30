import { after, within } from '../../domain/within.ts'

const AT_MOST_MS = 5_000
/** What is under way when a pause begins gets this long to end. */
const ENDS_WITHIN_MS = 1_000
/** Another tab hears of the pause a moment later, and what it has just sent is on its way. */
const OTHERS_HEAR_MS = 150

let pause: Promise<unknown> = Promise.resolve()
const underWay = new Set<Promise<unknown>>()

/** Does `work`, which asks for something, when this tab may: not while a new worker takes the place of the one in use. */
export async function outsideTakeover<T>(work: () => Promise<T>): Promise<T> {
  await pause
  const running = work()
  underWay.add(running)
  return running.finally(() => underWay.delete(running))
}

/**
 * From here on this tab asks for nothing, until `end` or for five seconds. Chromium (156) first has the worker in use stop. A
 * request that starts it again meanwhile makes the browser forget that another one is to take over, for half a minute after the
 * last request at least and for five minutes at most, and no word of a page or a worker brings it back to mind. Resolves when it
 * is quiet.
 */
export async function pauseForTakeover(end: Promise<unknown>): Promise<void> {
  pause = within(AT_MOST_MS, end)
  await Promise.all([after(OTHERS_HEAR_MS), within(ENDS_WITHIN_MS, Promise.allSettled(underWay))])
}
