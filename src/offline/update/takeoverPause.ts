import { after, within } from '../../domain/within.ts'

const LONGEST_PAUSE_MS = 5_000
/** Running requests get this long to end when a pause begins. */
const ENDS_WITHIN_MS = 1_000
/** Another tab hears of the pause a moment later, and may have just sent a request. */
const OTHERS_HEAR_MS = 150

let pause: Promise<unknown> = Promise.resolve()
const runningRequests = new Set<Promise<unknown>>()

/** Does `work`, which sends a request, but not while a new worker replaces the one in use. */
export async function runOutsideTakeover<T>(work: () => Promise<T>): Promise<T> {
  await pause
  const running = work()
  runningRequests.add(running)
  return running.finally(() => runningRequests.delete(running))
}

/**
 * Holds back all requests of this tab until `end`, or for five seconds. Resolves when no request runs. Before a takeover Chromium
 * (156) stops the worker in use. A request that starts that worker again delays the takeover by half a minute to five minutes,
 * and no message from a page or a worker shortens that.
 */
export async function pauseForTakeover(end: Promise<unknown>): Promise<void> {
  pause = within(LONGEST_PAUSE_MS, end)
  await Promise.all([after(OTHERS_HEAR_MS), within(ENDS_WITHIN_MS, Promise.allSettled(runningRequests))])
}
