import { whenIdle } from '../../state/whenIdle.ts'

const IDLE_WITHIN_MS = 100

/** Resolves when the page has nothing to draw, or soon: for what nobody waits for. Safari takes the next task. */
export const untilIdle = (): Promise<void> =>
  new Promise((resolve) => {
    whenIdle(resolve, { atLatestMs: IDLE_WITHIN_MS, untoldMs: 0 })
  })
