/** Connectivity, service worker and outbox start after the first screen; this limit also starts them on a slow machine that is never idle. */
const IDLE_AT_LATEST_MS = 2_000

const WITHOUT_IDLE_MS = 200

let resolveFirstScreen: () => void

/** Resolves when the first screen is drawn and the browser is idle: from then on the rest may be loaded. */
export const firstScreen = new Promise<void>((resolve) => {
  resolveFirstScreen = resolve
})

/** Call it when the first screen is drawn. */
export const announceFirstScreen = (): void =>
  void whenIdle(() => resolveFirstScreen(), { atLatestMs: IDLE_AT_LATEST_MS, withoutIdleMs: WITHOUT_IDLE_MS })

interface Timing {
  /** A page that draws all the time, or is in a hidden tab, may never be idle. */
  atLatestMs: number
  /** The wait in a browser without `requestIdleCallback` (Safari). */
  withoutIdleMs: number
}

/** Runs `work` once, when the browser is idle or at the latest after `atLatestMs`; returns the function that cancels it. */
export function whenIdle(work: () => void, { atLatestMs, withoutIdleMs }: Timing): () => void {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, withoutIdleMs)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: atLatestMs })
  return () => cancelIdleCallback(handle)
}
