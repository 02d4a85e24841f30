import { whenIdle } from './whenIdle.ts'

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
