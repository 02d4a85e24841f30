import { setImmediate as answerFirst } from 'node:timers/promises'
import { databaseCode } from '../db/engine/databaseError.ts'
import type { Log } from '../log.ts'
import { BoundedQueue } from '../services/BoundedQueue.ts'

/** Work that an answer does not wait for. */
export interface Background {
  /**
   * Runs `work` when its turn comes. `failure` is the log event for an error, and also names the queue: work waits only for work of its own kind.
   * Returns false when the queue is full; the work is then dropped.
   */
  run(failure: string, work: () => Promise<unknown>): boolean
  /** Resolves when no work is left, including work that was started meanwhile. */
  settled(): Promise<void>
}

/** The limits of one kind of work. More work at once would take database connections from calls that wait for an answer. */
const LIMITS = { atOnce: 1, waiting: 999 }

export function background(log: Log): Background {
  const queues = new Map<string, BoundedQueue>()
  const started = new Set<Promise<void>>()
  const queueOf = (kind: string) => {
    const queue = queues.get(kind) ?? new BoundedQueue(LIMITS)
    queues.set(kind, queue)
    return queue
  }

  return {
    run(failure, work) {
      const queue = queueOf(failure)
      if (queue.isFull()) {
        log.warn('background_full', { work: failure })
        return false
      }
      const done: Promise<void> = queue.run(() => runLogged(log, failure, work)).finally(() => started.delete(done))
      started.add(done)
      return true
    },
    async settled() {
      while (started.size > 0) await Promise.all(started)
    },
  }
}

async function runLogged(log: Log, failure: string, work: () => Promise<unknown>): Promise<void> {
  try {
    // Without this pause the answer would wait for the first steps of `work`, which run on this thread.
    await answerFirst()
    await work()
  } catch (error) {
    log.error(failure, { code: databaseCode(error), name: error instanceof Error ? error.name : undefined })
  }
}
