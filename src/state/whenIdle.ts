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
