import { setTimeout as sleep } from 'node:timers/promises'
import { ClusterError } from './ClusterError.ts'

const LOOK_AGAIN_MS = 100

/**
 * Calls `ask` until it returns a value, and returns that. An error counts as no value yet.
 * @throws ClusterError TIMED_OUT, with the last error as its cause; STOPPED when `isOver` is aborted
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
      // A program that has ended will not answer any more.
      if (error instanceof ClusterError && error.code === 'ENDED') throw error
      cause = error
    }
    await sleep(LOOK_AGAIN_MS)
  }
  throw new ClusterError('TIMED_OUT', `Waited ${seconds} seconds in vain for ${what}.`, { cause })
}
