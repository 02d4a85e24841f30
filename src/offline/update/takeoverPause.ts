import { after, within } from '../../domain/within.ts'

const AT_MOST_MS = 5_000
/** Running requests get this long to end when a pause begins. */
const ENDS_WITHIN_MS = 1_000
/** Another tab hears of the pause a moment later, and may have just sent a request. */
const OTHERS_HEAR_MS = 150

let pause: Promise<unknown> = Promise.resolve()
const underWay = new Set<Promise<unknown>>()

/** Does `work`, which sends a request, but not while a new worker replaces the one in use. */
export async function runOutsideTakeover<T>(work: () => Promise<T>): Promise<T> {
  await pause
  const running = work()
  underWay.add(running)
  return running.finally(() => underWay.delete(running))
}

/**
 * Stops all requests of this tab until `end`, or for five seconds. Chromium (156) first stops the worker in use. A request that
 * starts it again meanwhile makes the browser forget the takeover: at least for half a minute after the last request, and at most
 * for five minutes. No message from a page or a worker reminds it. Resolves when no request runs.
 */
export async function pauseForTakeover(end: Promise<unknown>): Promise<void> {
  pause = within(AT_MOST_MS, end)
  await Promise.all([after(OTHERS_HEAR_MS), within(ENDS_WITHIN_MS, Promise.allSettled(underWay))])
}
