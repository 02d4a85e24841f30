/** The line, the worker and the queue start with it: a slow machine that is never idle has them late, not never. */
const AT_LATEST_MS = 2_000

const UNTOLD_MS = 200

let shown: () => void

/** Settles when the first screen stands and the browser has nothing better to do: from then on the rest may be loaded. */
export const firstScreen = new Promise<void>((resolve) => {
  shown = resolve
})

export const firstScreenRendered = (): void =>
  void whenIdle(() => shown(), { atLatestMs: AT_LATEST_MS, untoldMs: UNTOLD_MS })

interface Timing {
  /** A page that draws all the time, or lies in a hidden tab, may never be found idle. */
  atLatestMs: number
  /** After how long in a browser that does not tell when it is idle (Safari). */
  untoldMs: number
}

/** Runs `work` once, when the browser has nothing better to do, or at the latest when told; answers how to call it off. */
export function whenIdle(work: () => void, { atLatestMs, untoldMs }: Timing): () => void {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, untoldMs)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(work, { timeout: atLatestMs })
  return () => cancelIdleCallback(asked)
}
