import { setTimeout as sleep } from 'node:timers/promises'
import { ClusterError } from './ClusterError.ts'

const LOOK_AGAIN_MS = 100

/**
 * Asks until there is an answer, and gives it. A failure is no answer yet.
 * @throws ClusterError TIMED_OUT, with the last failure as its cause; STOPPED when it `isOver`
 */
export async function until<T>(
  what: string,
  seconds: number,
  ask: () => T | undefined | Promise<T | undefined>,
  isOver?: AbortSignal,
): Promise<T> {
  const deadline = performance.now() + seconds * 1_000
  let cause: unknown
  while (performance.now() < deadline) {
    if (isOver?.aborted) throw new ClusterError('STOPPED', `Told to end while it waited for ${what}.`)
    try {
      const answer = await ask()
      if (answer !== undefined) return answer
    } catch (error) {
      // What ended does not come.
      if (error instanceof ClusterError && error.code === 'ENDED') throw error
      cause = error
    }
    await sleep(LOOK_AGAIN_MS)
  }
  throw new ClusterError('TIMED_OUT', `Waited ${seconds} seconds in vain for ${what}.`, { cause })
}
