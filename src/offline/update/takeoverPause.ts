import { after, within } from '../../domain/within.ts'

const LONGEST_PAUSE_MS = 5_000
/** When a pause begins, running requests have this long to end. */
const ENDS_WITHIN_MS = 1_000
/** The other tabs learn of the pause a moment later, and may send a request until then. */
const OTHERS_HEAR_MS = 150

let pause: Promise<unknown> = Promise.resolve()
const runningRequests = new Set<Promise<unknown>>()

/** Does `work`, which sends a request. Waits first if a new worker is replacing the one in use. */
export async function runOutsideTakeover<T>(work: () => Promise<T>): Promise<T> {
  await pause
  const running = work()
  runningRequests.add(running)
  return running.finally(() => runningRequests.delete(running))
}

/**
 * Holds back all requests of this tab until `end`, at most for five seconds. Resolves when no request runs, at the latest after a
 * second. Before a takeover Chromium (156) stops the worker in use. A request would start that worker again, and delay the takeover
 * by half a minute to five minutes. No message from a page or a worker shortens that.
 */
export async function pauseForTakeover(end: Promise<unknown>): Promise<void> {
  pause = within(LONGEST_PAUSE_MS, end)
  await Promise.all([after(OTHERS_HEAR_MS), within(ENDS_WITHIN_MS, Promise.allSettled(runningRequests))])
}
