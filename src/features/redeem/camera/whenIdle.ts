/** Runs `work` when the browser has nothing better to do; answers how to call it off. */
export function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, 500)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(work, { timeout: 5_000 })
  return () => cancelIdleCallback(asked)
}
